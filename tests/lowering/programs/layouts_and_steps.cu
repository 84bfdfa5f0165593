// Arrays of a block that are laid out for neighbours, positions that all threads step alike, loops
// with an edge, and what looks like these but is not.
#include <cstdio>
#include <cuda_runtime.h>

#define W 16
#define H 4
#define N 64

// What a thread keeps in an array, in a tile that stands the other way round.
__global__ void tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float turned[W][W + 1];
    float sum[5] = {};
    for (int k = 0; k < 5; ++k)
        sum[k] += k;
    for (int k0 = 0; k0 < n; k0 += W) {
        for (int j = threadIdx.y; j < W; j += H)
            turned[threadIdx.x][j] = b[(k0 + j) * W + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < W; ++j) {
            float x = a[(threadIdx.y * n + k0 + j) * W + threadIdx.x];
            for (int k = 0; k < 5; ++k)
                sum[k] += x * turned[threadIdx.x][(j + k) % W];
        }
        __syncthreads();
    }
    for (int k = 0; k < 5; ++k)
        c[(k * H + threadIdx.y) * W + threadIdx.x] = sum[k];
}

__device__ float row_sum(const float *row, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += row[i] * (i + 1);
    return sum;
}

// From an element others are reached: by its address, in a row beside it, behind its row.
__global__ void led(const float *a, float *c)
{
    __shared__ float s[W][W];
    __shared__ float over[W][4];
    __shared__ float rows[W][4];
    float own[4][2];
    for (int j = threadIdx.y; j < W; j += H)
        s[threadIdx.x][j] = a[j * W + threadIdx.x];
    over[threadIdx.x][threadIdx.y] = a[threadIdx.y * W + threadIdx.x];
    rows[threadIdx.x][threadIdx.y] = a[threadIdx.y * W + threadIdx.x] + 1;
    for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 2; ++l)
            own[k][l] = a[k] * (l + 1) + threadIdx.x;
    __syncthreads();
    float sum = row_sum(&s[threadIdx.x][0], W) + row_sum(rows[threadIdx.x], 4);
    for (int k = 0; k < 4; ++k)
        sum += own[k][k & 1] * over[threadIdx.x][3 - k];
    c[threadIdx.y * W + threadIdx.x] = sum;
}

__device__ void raise(float &first, int k) { (&first)[k] += 1; }

// By a reference, of the kernel's own or of a function.
__global__ void named(const float *a, float *c)
{
    __shared__ float s[W][8], r[W][8];
    for (int j = 0; j < 8; ++j) {
        s[threadIdx.x][j] = a[j * W + threadIdx.x];
        r[threadIdx.x][j] = a[j + 8 * threadIdx.x];
    }
    __syncthreads();
    float &first = s[threadIdx.x][0];
    const float *row = &first;
    raise(r[threadIdx.x][0], 3);
    float sum = 0;
    for (int j = 0; j < 8; ++j)
        sum += row[j] * (j + 1) - r[threadIdx.x][j] * j;
    c[threadIdx.x] = sum;
}

// Positions with a step in a loop's head, an end of their own, and a number that starts midway.
__global__ void walks(const float *a, float *c, int k, int lda)
{
    __shared__ float s[N];
    const float *last = a;
    const float *p = a;
    int from = 3, until = 0;
    p += threadIdx.x;
    from += blockIdx.x;
    const float *end = p + k;
    float sum = 0;
    do {
        s[threadIdx.x] = *p;
        __syncthreads();
        sum += s[(threadIdx.x + from) % N];
        p += 16;
        from += 2;
        __syncthreads();
    } while (p < end);
    until = threadIdx.x * 2;
    int there = until + from;
    for (int i = 0; i < 3; ++i, p += lda) {
        s[threadIdx.x] = p[1] + there;
        __syncthreads();
        sum += s[N - 1 - threadIdx.x] * (p - last);
        there += lda;
        __syncthreads();
    }
    c[blockIdx.x * N + threadIdx.x] = sum + there - until;
}

// Steps that only some threads take, that differ, or that a jump leaves out.
__global__ void alone(const float *a, float *c, int n)
{
    __shared__ float s[N];
    int own = threadIdx.x, some = threadIdx.x, out = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = a[own % 97] + a[some % 97] + a[out % 97];
        __syncthreads();
        sum += s[(threadIdx.x + 1) % N];
        own += threadIdx.x & 3;
        if (threadIdx.x & 1)
            some += 5;
        __syncthreads();
    }
    for (int i = 0; i < n; ++i) {
        if (a[i] > 30 + threadIdx.x % 3)
            break;
        out += 7;
    }
    c[blockIdx.x * N + threadIdx.x] = sum + own + some + out;
}

// Sums up to each thread: two buffers, and a mask that neighbours differ in up to its edge.
__global__ void sums(const int *a, int *c, int stride)
{
    __shared__ int s[2 * N];
    int in = 1, to = 0, t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        to = 1 - to;
        in = 1 - to;
        if (t >= d)
            s[to * N + t] = s[in * N + t] + s[in * N + t - d];
        else
            s[to * N + t] = s[in * N + t];
        __syncthreads();
    }
    c[t] = s[to * N + t];
    int low = t & (stride - 1);
    int place = ((t - low) << 1) + low;
    c[N + place % (2 * N)] = t - s[to * N + (t ^ 1)];
    if (t == blockDim.x - 1)
        c[3 * N] = s[to * N + t];
}

__global__ void lanes(const int *a, int *c)
{
    int v = a[threadIdx.x], lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d <<= 1) {
        int t = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += t;
    }
    c[threadIdx.x] = v;
    if (lane == 31)
        c[N + threadIdx.x / 32] = v;
}

// Loads that one thread of a row takes from elsewhere, for what a guard at the end lets through.
__global__ void halves(const float *a, float *c, int w, int first, int count)
{
    __shared__ float s[H][W];
    int x = blockIdx.x * W + threadIdx.x, y = threadIdx.y;
    s[y][threadIdx.x] = x < w ? a[y * w + x] : 0.0f;
    __syncthreads();
    const bool inside = x > 0 && x < w - 1;
    const bool is_left = threadIdx.x == 0, is_right = threadIdx.x == blockDim.x - 1;
    float left, right;
    if (x < w && (threadIdx.x == W - 1 || x == w - 1))
        c[H * w + y * gridDim.x + blockIdx.x] = s[y][threadIdx.x] + x;
    if (inside) {
        left = is_left ? a[y * w + x - 1] : s[y][threadIdx.x - 1];
        right = is_right ? a[y * w + x + 1] : s[y][threadIdx.x + 1];
        c[y * w + x] = left + 2 * right;
    }
    float sum = x;
    for (int k = 0; k < 3; ++k)
        sum += s[(y + k) % H][threadIdx.x] * k;
    if (x >= first && x < first + count)
        c[y * w + x] += sum;
}

static float values(float *x, int n, int seed)
{
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37 + seed) % 61;
    return x[0];
}

template <typename T> static void print(const char *name, const T *x, int n)
{
    double sum = 0, turned = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        turned += x[i] * (i % 13);
    }
    std::printf("%s %.9g %.9g\n", name, sum, turned);
}

int main()
{
    const int most = 4096;
    float *a, *b, *c;
    int *p, *q;
    cudaMallocManaged(&a, most * sizeof(float));
    cudaMallocManaged(&b, most * sizeof(float));
    cudaMallocManaged(&c, most * sizeof(float));
    cudaMallocManaged(&p, most * sizeof(int));
    cudaMallocManaged(&q, most * sizeof(int));
    values(a, most, 3);
    values(b, most, 5);
    for (int i = 0; i < most; ++i) {
        c[i] = 0;
        p[i] = (i * 29) % 101;
        q[i] = 0;
    }
    tiles<<<1, dim3(W, H)>>>(a, b, c, 32);
    cudaDeviceSynchronize();
    print("tiles", c, 5 * W * H);
    led<<<1, dim3(W, H)>>>(a, c);
    cudaDeviceSynchronize();
    print("led", c, W * H);
    named<<<1, W>>>(a, c);
    cudaDeviceSynchronize();
    print("named", c, W);
    for (int k : {-5, 1, 16, 100}) {
        walks<<<3, N>>>(a + 8, c, k, 10);
        cudaDeviceSynchronize();
        print("walks", c, 3 * N);
    }
    alone<<<2, N>>>(a, c, 9);
    cudaDeviceSynchronize();
    print("alone", c, 2 * N);
    for (int stride = 1; stride <= N; stride *= 4) {
        sums<<<1, N>>>(p, q, stride);
        cudaDeviceSynchronize();
        print("sums", q, 3 * N + 1);
    }
    lanes<<<1, N>>>(p, q);
    cudaDeviceSynchronize();
    print("lanes", q, N + 2);
    for (int w : {1, 15, 16, 17, 40}) {
        for (int i = 0; i < most; ++i)
            c[i] = 0;
        halves<<<(w + W - 1) / W, dim3(W, H)>>>(a, c, w, w / 3, w / 2 + 1);
        cudaDeviceSynchronize();
        print("halves", c, H * (w + (w + W - 1) / W));
    }
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(p), cudaFree(q);
    return 0;
}
