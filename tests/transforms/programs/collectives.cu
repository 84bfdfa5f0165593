// What a block combines of the values of all its threads, in whatever way: one loop. What is not
// made of all values, or is not all that is used of the code, stays.
#include <cfloat>
#include <cstdio>

// A tree in shared memory; the first thread has the sum.
__global__ void tree(const int *x, int *out, int n)
{
    __shared__ int s[128];
    int tid = threadIdx.x;
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x)
        v += x[i];
    s[tid] = v;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (tid < k)
            s[tid] += s[tid + k];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}

// Two sums by shuffles, the last step by one warp.
__global__ void two_sums(const int *x, int *out, int n)
{
    __shared__ int a[32], b[32];
    int row = blockIdx.x, t = threadIdx.x, lane = t % 32, warp = t / 32;
    int s = 0, q = 0;
    for (int i = t; i < n; i += blockDim.x) {
        int v = x[row * n + i];
        s += v;
        q += v * v;
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_down_sync(0xffffffff, s, d);
        q += __shfl_down_sync(0xffffffff, q, d);
    }
    if (lane == 0) {
        a[warp] = s;
        b[warp] = q;
    }
    __syncthreads();
    if (warp == 0) {
        s = lane < blockDim.x / 32 ? a[lane] : 0;
        q = lane < blockDim.x / 32 ? b[lane] : 0;
        for (int d = 16; d > 0; d >>= 1) {
            s += __shfl_xor_sync(0xffffffff, s, d);
            q += __shfl_xor_sync(0xffffffff, q, d);
        }
        if (lane == 0) {
            a[0] = s;
            b[0] = q;
        }
    }
    __syncthreads();
    int mean = a[0] / n, spread = b[0] / n - mean * mean;
    for (int i = t; i < n; i += blockDim.x)
        out[row * n + i] = (x[row * n + i] - mean) * spread;
}

// A row after the other, with the same array each time.
__global__ void rows(const int *x, int *out, int n, int m)
{
    __shared__ int s[64];
    for (int row = blockIdx.x; row < m; row += gridDim.x) {
        int v = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            v += x[row * n + i] * (i % 3);
        s[threadIdx.x] = v;
        __syncthreads();
        for (int k = 1; k < blockDim.x; k *= 2) {
            int at = 2 * k * threadIdx.x;
            if (at < blockDim.x)
                s[at] += s[at + k];
            __syncthreads();
        }
        if (threadIdx.x == 0)
            out[row] = s[0];
        __syncthreads();
    }
}

// Minima and maxima are exact in any order.
__global__ void extremes(const float *x, float *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    float least = FLT_MAX, most = -FLT_MAX;
    for (int i = t; i < n; i += 64) {
        if (x[blockIdx.x * n + i] < least)
            least = x[blockIdx.x * n + i];
        most = fmaxf(most, x[blockIdx.x * n + i]);
    }
    s[t] = least;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] = s[t] < s[t + k] ? s[t] : s[t + k];
        __syncthreads();
    }
    least = s[0];
    __syncthreads();
    s[t] = most;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0] - least;
}

// Sums that start in front of each other's steps, and extremes of what is loaded once.
__global__ void in_turns(const int *x, int *out, int n)
{
    __shared__ int a[4], b[4];
    int s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s += x[i];
        q += x[i] / 2;
    }
    int r = x[threadIdx.x], m = x[threadIdx.x + 1];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_xor_sync(0xffffffff, s, d);
    if (threadIdx.x % 32 == 0)
        a[threadIdx.x / 32] = s;
    __syncthreads();
    s = a[0] + a[1] + a[2] + a[3];
    out[threadIdx.x] = s;
    for (int d = 16; d > 0; d /= 2)
        q += __shfl_xor_sync(0xffffffff, q, d);
    if (threadIdx.x % 32 == 0)
        b[threadIdx.x / 32] = q;
    __syncthreads();
    q = b[0] + b[1] + b[2] + b[3];
    out[threadIdx.x] += q;
    r = __reduce_add_sync(0xffffffff, r);
    out[threadIdx.x] += r;
    m = __reduce_min_sync(0xffffffff, m);
    out[threadIdx.x] += m * 5;
}

// Each thread's own value is asked for behind.
__global__ void beside(const int *x, int *out)
{
    __shared__ int s[64];
    int v = x[blockIdx.x * 64 + threadIdx.x];
    s[threadIdx.x] = v;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += s[i];
    out[blockIdx.x * 64 + threadIdx.x] = sum + v;
}

// From here on all stays as it is: half of the values, each value twice, prefixes,
__global__ void half_of(const int *x, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 16; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

__global__ void twice(const int *x, int *out)
{
    int v = x[blockIdx.x * 32 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    v += __shfl_xor_sync(0xffffffff, v, 1);
    out[blockIdx.x * 32 + threadIdx.x] = v;
}

__global__ void prefixes(const int *x, int *out)
{
    int v = x[blockIdx.x * 32 + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int o = __shfl_up_sync(0xffffffff, v, d);
        if (threadIdx.x >= d)
            v += o;
    }
    out[blockIdx.x * 32 + threadIdx.x] = v;
}

// elements that are read behind, and threads that have left.
__global__ void elements(const int *x, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += s[i];
    out[blockIdx.x * 64 + threadIdx.x] = sum + s[63 - threadIdx.x];
}

__global__ void some_left(const int *x, int *out, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    out[i] = v;
}

int main()
{
    const int n = 4096;
    float *x, *y;
    int *a, *b;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&a, n * sizeof(int));
    cudaMallocManaged(&b, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        x[i] = (i * 37 % 101) * 0.25f - 7;
        y[i] = 0;
        a[i] = i * 31 % 17 - 5;
        b[i] = 0;
    }
    auto show = [&](const char *name) {
        cudaDeviceSynchronize();
        double s = 0;
        for (int i = 0; i < n; ++i)
            s += (i % 11 + 1) * (y[i] + b[i]);
        std::printf("%s %.4f\n", name, s);
    };
    tree<<<4, 128>>>(a, b, 1000);
    show("tree");
    two_sums<<<4, 256>>>(a, b, 1000);
    show("two_sums");
    rows<<<3, 64>>>(a, b, 100, 7);
    show("rows");
    extremes<<<4, dim3(8, 8)>>>(x, y, 1000);
    show("extremes");
    in_turns<<<1, 128>>>(a, b, 1000);
    show("in_turns");
    beside<<<4, 64>>>(a, b);
    show("beside");
    half_of<<<4, 64>>>(a, b);
    show("half_of");
    twice<<<4, 32>>>(a, b);
    show("twice");
    prefixes<<<4, 32>>>(a, b);
    show("prefixes");
    elements<<<4, 64>>>(a, b);
    show("elements");
    some_left<<<4, 32>>>(a, b, 128);
    show("some_left");
}
