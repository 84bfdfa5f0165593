// Guards that are ranges of a thread's index: from both sides, through flags, beside other work.
#include <climits>
#include <cstdio>

#define WIDTH 16
#define INSIDE(x, low, high) ((x) >= (low) && (x) <= (high))

// What a step computes shrinks from all sides, and the edge of the plate cuts it.
__global__ void shrink(const int *in, int *out, int rows, int cols, int steps)
{
    __shared__ int now[WIDTH][WIDTH];
    __shared__ int next[WIDTH][WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int first_row = (WIDTH - 4) * blockIdx.y - 2, first_col = (WIDTH - 4) * blockIdx.x - 2;
    int row = first_row + ty, col = first_col + tx;
    now[ty][tx] = -1;
    next[ty][tx] = -2;
    if (INSIDE(row, 0, rows - 1) && INSIDE(col, 0, cols - 1))
        now[ty][tx] = in[row * cols + col];
    __syncthreads();
    int left = first_col < 0 ? -first_col : 0;
    int right = first_col + WIDTH > cols ? cols - 1 - first_col : WIDTH - 1;
    int west = max(tx - 1, left);
    bool valid = INSIDE(tx, left, right);
    bool computed = false;
    for (int i = 0; i < steps; i++) {
        computed = false;
        if (INSIDE(tx, i + 1, WIDTH - i - 2) && INSIDE(ty, i + 1, WIDTH - i - 2) && valid) {
            computed = true;
            next[ty][tx] = now[ty][tx] + now[ty][west] * 3 + now[ty - 1][tx];
        }
        __syncthreads();
        if (computed)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed && row < rows && row >= 0)
        out[row * cols + col] = now[ty][tx];
}

// Limits that are the largest and the smallest number, and ranges without an element.
__global__ void limits(int *out, int low, int high, int n)
{
    int t = threadIdx.x;
    __shared__ int s[64];
    s[t] = t;
    __syncthreads();
    if (t <= high)
        s[t] += 100;
    __syncthreads();
    if (t >= low && t != 7 && s[t] % 3 != 0)
        s[t] += 1000;
    __syncthreads();
    if (!(t < low || t > high))
        s[t] *= 2;
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
    if (t > n)
        return;
    out[blockIdx.x * 64 + t] += 10000;
    if (int(blockIdx.x) * 60 - 2 + t >= low) // no difference to the largest number
        out[blockIdx.x * 64 + t] += 100000;
}

// The same behind offsets that may be negative: the difference may be none of an `int`.
__global__ void edges(int *out, int low, int high, int n, int from)
{
    int t = threadIdx.x, first = int(blockIdx.x) * 60 - 2;
    __shared__ int s[64];
    s[t] = t;
    __syncthreads();
    if (first + t >= low)
        s[t] += 100;
    __syncthreads();
    if (first + t <= high)
        s[t] += 1000;
    __syncthreads();
    if (from + t < high)
        s[t] *= 3;
    __syncthreads();
    if (from + t >= low && from + t < n)
        s[t] *= 2;
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// Neighbours that are clamped, or chosen at the edges.
#define CLAMP(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))

__global__ void neighbours(const int *in, int *out, int low, int high, int n)
{
    __shared__ int s[66], r[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = r[t] = in[i];
    if (t < 2)
        s[64 + t] = r[64 + t] = in[t];
    __syncthreads();
    if (t < n) {
        int west = max(t - 1, low) + 1, east = min(high, t + 1) + 1;
        out[i] += s[west] + 3 * s[east];
    }
    __syncthreads();
    if (t >= low) {
        int left = t == 0 ? t : t - 1, right = t == n - 1 ? t : t + 1;
        s[t] = r[left] + 5 * r[right] + r[t];
    }
    __syncthreads();
    int near = CLAMP(t - 2, low, high) + 2, far = t + 1 >= n ? t : t + 1;
    out[i] = 11 * (out[i] % 1000) + 3 * r[near & 63] + r[far] + s[63 - t];
    __syncthreads();
    int behind = CLAMP(t - 1, 3, n);
    s[t] = r[behind] + r[t];
    __syncthreads();
    int before = max(t - 1, 0), after = min(t + 1, 63);
    atomicAdd(&r[65], s[before] + 3 * s[after]); // all add to the same element
    __syncthreads();
    out[i] += s[63 - t] + r[65];
}

// Flags that hold for a range of threads, for two of them, and for some threads of one.
__global__ void flags(const int *in, int *out, int low, int high, int last)
{
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    bool on = false, either = false, chosen = false;
    s[t] = in[i];
    for (int k = 0; k < 3; ++k) {
        on = false;
        if (t >= low + k && t <= high - k) {
            on = true;
            s[t] += 1;
        }
        if (t > low)
            either = true;
        if (t < high - k && s[t] > 4)
            chosen = true;
        __syncthreads();
        out[i] += s[63 - t];
        __syncthreads();
        if (on)
            s[t] += k + 2;
        if (either)
            s[t] += 10;
        if (!on && chosen)
            s[t] += 100;
        __syncthreads();
        out[i] += 3 * s[63 - t];
        if (k == last)
            break;
        __syncthreads();
    }
    if (on)
        out[i] += 1000;
    if (on != either && t % 3 == 1)
        out[i] += 10000;
}

// An element is only looked at where it is; some threads go on with the next turn.
__global__ void guarded(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    __shared__ int s[32];
    for (int k = 0; k < n; k += 32) {
        s[t] = 0;
        if (k + t < n && in[k + t] > 2)
            s[t] = in[k + t];
        __syncthreads();
        if (t > 3 && in[t] > 0) {
            int other = s[31 - t];
            atomicAdd(&out[t], other);
        }
        __syncthreads();
    }
}

// Threads that leave have done what stands in front.
__global__ void left_early(int *out, int n)
{
    int t = threadIdx.x;
    __shared__ int s[64];
    s[t] = out[t];
    __syncthreads();
    out[t] = s[63 - t];
    if (t < n)
        return;
    out[t] += s[t];
    if (t > 50)
        return;
    out[t] *= 3;
}

// Of an index from memory nothing is known: the limit less it may be no `int`.
__global__ void from_memory(int *out, const int *starts, int n)
{
    int t = threadIdx.x;
    int first = starts[blockIdx.x];
    out[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (first + t < n)
        out[blockIdx.x * 64 + 63 - t] += first;
    __syncthreads();
    if (first + t < 100)
        out[blockIdx.x * 64 + t] += 3;
    __syncthreads();
    if (first + t >= 0)
        out[blockIdx.x * 64 + 63 - t] += 5;
    __syncthreads();
    if (first + t > -9)
        out[blockIdx.x * 64 + t] *= 7;
}

// What has no sign, or is wider or narrower than an `int`, may be a negative one in the end.
__global__ void wrapped(int *out, int n)
{
    int t = threadIdx.x;
    int hash = blockIdx.x * 2654435761u;
    int wide = blockIdx.x * 3000000000LL;
    short narrow = blockIdx.x * 40000;
    int sum = narrow;
    out[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (hash + t < n)
        out[blockIdx.x * 64 + 63 - t] += 3;
    __syncthreads();
    if (wide + t < n)
        out[blockIdx.x * 64 + t] *= 5;
    __syncthreads();
    if (sum + t < n)
        out[blockIdx.x * 64 + 63 - t] += 7;
}

// The edges that neighbours are clamped to are variables of the loop.
__global__ void own_edges(const int *in, int *out, int low, int high)
{
    int t = threadIdx.x, least = low + 1, most = high - 1;
    int west = max(t - 1, least), east = t + 1 > most ? most : t + 1;
    out[blockIdx.x * 64 + t] = in[west & 63] * 3 + in[east & 63];
}

int main()
{
    const int rows = 29, cols = 37;
    int *in, *out;
    cudaMallocManaged(&in, rows * cols * sizeof(int));
    cudaMallocManaged(&out, rows * cols * sizeof(int));
    for (int i = 0; i < rows * cols; ++i)
        in[i] = i * 7 % 13;
    for (int steps = 0; steps < 4; ++steps) {
        for (int i = 0; i < rows * cols; ++i)
            out[i] = -5;
        shrink<<<dim3(4, 3), dim3(WIDTH, WIDTH)>>>(in, out, rows, cols, steps);
        cudaDeviceSynchronize();
        unsigned hash = 0;
        for (int i = 0; i < rows * cols; ++i)
            hash = hash * 31 + out[i];
        printf("shrink %d %u\n", steps, hash);
    }
    const int cases[][3] = {{0, INT_MAX, 63},  {5, 20, 10},           {40, 20, -1},
                            {INT_MIN, -1, 64}, {INT_MAX, INT_MIN, 0}, {-3, 200, INT_MAX}};
    for (const auto &one : cases) {
        in[0] = 0, in[1] = 7;
        for (int i = 0; i < 640; ++i)
            out[i] = i % 29;
        limits<<<2, 64>>>(out, one[0], one[1], one[2]);
        edges<<<2, 64>>>(out + 128, one[0], one[1], one[2], -5);
        const int edges[][2] = {{0, 63}, {INT_MIN, INT_MAX}, {20, 30}, {40, 10}, {63, 0}, {-3, 64}};
        for (const auto &edge : edges)
            neighbours<<<2, 64>>>(in, out, edge[0], edge[1], one[2] & 127);
        flags<<<2, 64>>>(in, out, 5, 40, one[2] & 3);
        flags<<<2, 64>>>(in, out + 128, one[2] & 31, one[0] & 15, 1);
        flags<<<2, 64>>>(in, out + 256, -3, 100, 0);
        cudaDeviceSynchronize();
        in[0] = one[0] < 0 ? one[0] : -3, in[1] = one[1] < 0 ? one[1] : 5;
        from_memory<<<2, 64>>>(out + 256, in, one[1]);
        wrapped<<<3, 64>>>(out + 384, one[1]);
        own_edges<<<1, 64>>>(in, out + 576, 5, one[2] & 63);
        cudaDeviceSynchronize();
        unsigned hash = 0;
        for (int i = 0; i < 640; ++i)
            hash = hash * 31 + out[i];
        printf("limits %u\n", hash);
    }
    for (int i = 0; i < 64; ++i)
        out[i] = i * i;
    left_early<<<1, 64>>>(out, 14);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d ", out[i]);
    printf("\n");
    for (int n : {0, 5, 32, 45}) {
        for (int i = 0; i < 32; ++i)
            out[i] = 0;
        guarded<<<1, 32>>>(in, out, n);
        cudaDeviceSynchronize();
        unsigned hash = 0;
        for (int i = 0; i < 32; ++i)
            hash = hash * 31 + out[i];
        printf("guarded %u\n", hash);
    }
}
