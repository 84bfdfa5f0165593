// Trees over a shared array that every thread gives its own element: totals of one loop. Functions
// that are handed over; barriers that the threads which have left do not come to.
#include <cfloat>
#include <climits>
#include <cstdio>

#define BLOCK 128

// An unrolled tree, the last step of which stores the total.
__global__ void unrolled(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (t < 32)
        s[t] += s[t + 32];
    __syncthreads();
    if (t < 16)
        s[t] += s[t + 16];
    __syncthreads();
    if (t < 8)
        s[t] += s[t + 8];
    __syncthreads();
    if (t < 4)
        s[t] += s[t + 4];
    __syncthreads();
    if (t < 2)
        s[t] += s[t + 2];
    __syncthreads();
    if (t < 1) {
        s[t] += s[t + 1];
        y[blockIdx.x] = s[0];
    }
}

// The first warp ends it; the element starts with a zero.
__global__ void ended_by_a_warp(const int *x, int *y, int n)
{
    __shared__ int part[BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    part[t] = 0;
    if (i < n)
        part[t] = x[i] * 3;
    __syncthreads();
    if (t < 64)
        part[t] += part[t + 64];
    __syncthreads();
    if (t < 32) {
        part[t] += part[t + 32];
        __syncwarp();
        part[t] += part[t + 16];
        __syncwarp();
        part[t] += part[t + 8];
        __syncwarp();
        part[t] += part[t + 4];
        __syncwarp();
        part[t] += part[t + 2];
        __syncwarp();
        part[t] += part[t + 1];
        __syncwarp();
        if (t == 0)
            y[blockIdx.x] = part[0];
    }
}

__device__ int sum_of(int a, int b) { return a + b; }
__device__ int larger(int a, int b) { return a > b ? a : b; }

// Only those that go on come to the next barrier.
template <typename T, int OFFSET> struct Tree {
    static __device__ void run(T *array, T *out, T (*combine)(T, T))
    {
        if (OFFSET > 16)
            __syncthreads();
        if (threadIdx.x < OFFSET) {
            array[threadIdx.x] = combine(array[threadIdx.x], array[threadIdx.x + OFFSET]);
            Tree<T, OFFSET / 2>::run(array, out, combine);
        }
    }
};

template <typename T> struct Tree<T, 0> {
    static __device__ void run(T *array, T *out, T (*)(T, T)) { out[blockIdx.x] = array[0]; }
};

__global__ void by_a_function(const int *x, int *y, int n)
{
    __shared__ int kept[BLOCK];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x] = i < n ? x[i] * x[i] : 0;
    Tree<int, BLOCK / 2>::run(kept, y, sum_of);
}

__global__ void largest_by_a_function(const int *x, int *y, int n)
{
    __shared__ int kept[BLOCK];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x] = i < n ? x[i] : INT_MIN;
    Tree<int, BLOCK / 2>::run(kept, y, &larger);
}

// Others leave behind something that they do.
__global__ void with_others(const int *x, int *y, int *z)
{
    __shared__ int s[BLOCK];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 64) {
        const int mine = s[t + 64];
        s[t] -= mine;
        __syncthreads();
        y[t] = s[63 - t] + mine;
    } else {
        z[t - 64] = s[t] * 2;
    }
}

// The total, and what all threads stored: the array stays.
__global__ void used_again(const int *x, int *y)
{
    __shared__ int s[BLOCK];
    __shared__ int again[BLOCK];
    const int t = threadIdx.x;
    s[t] = x[t] + 1;
    again[t] = s[t] * 2;
    __syncthreads();
    for (int h = BLOCK / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    y[t] = s[0] - again[BLOCK - 1 - t];
}

// What is looked at behind braces stays, whatever stands in them.
__global__ void in_braces(const int *x, int *y)
{
    __shared__ int s[BLOCK];
    const int t = threadIdx.x;
    int total;
    {
        s[t] = x[t] * 2;
        __syncthreads();
        for (int h = BLOCK / 2; h > 0; h /= 2) {
            if (t < h)
                s[t] = max(s[t], s[t + h]);
            __syncthreads();
        }
        total = s[0];
        __syncthreads();
    }
    y[t] = s[(t + 1) % BLOCK] - total;
}

// Two elements of one thread, and an index that changes: no variable.
__global__ void other_elements(const int *x, int *y)
{
    __shared__ int s[2 * BLOCK];
    const int t = threadIdx.x;
    int at = t;
    s[at] = x[t] + 5;
    at += BLOCK;
    s[at] = s[at - BLOCK] * 2;
    __syncthreads();
    for (int h = BLOCK; h > 0; h /= 2) {
        for (int k = t; k < h; k += BLOCK)
            s[k] += s[k + h];
        __syncthreads();
    }
    y[t] = s[0];
}

// The largest of real numbers, of two dimensions.
__global__ void largest(const float *x, float *y, int n)
{
    __shared__ float tile[8][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.x * BLOCK + ty * 16 + tx;
    tile[ty][tx] = i < n ? x[i] : -FLT_MAX;
    __syncthreads();
    for (int h = 4; h > 0; h >>= 1) {
        if (ty < h)
            tile[ty][tx] = fmaxf(tile[ty][tx], tile[ty + h][tx]);
        __syncthreads();
    }
    for (int h = 8; h > 0; h >>= 1) {
        if (ty == 0 && tx < h)
            tile[0][tx] = fmaxf(tile[0][tx], tile[0][tx + h]);
        __syncthreads();
    }
    if (tx < 1 && ty == 0)
        y[blockIdx.x] = tile[0][0];
}

int main()
{
    const int n = 300;
    int *x, *y, *z;
    float *f, *g;
    cudaMallocManaged(&x, 512 * sizeof(int));
    cudaMallocManaged(&y, 512 * sizeof(int));
    cudaMallocManaged(&z, 512 * sizeof(int));
    cudaMallocManaged(&f, 512 * sizeof(float));
    cudaMallocManaged(&g, 512 * sizeof(float));
    for (int i = 0; i < 512; ++i) {
        x[i] = i * 37 % 101 - 40;
        f[i] = (i * 53 % 97) * 0.5f - 30.0f;
        y[i] = z[i] = 0;
        g[i] = 0.0f;
    }
    unrolled<<<5, 64>>>(x, y, n);
    ended_by_a_warp<<<3, BLOCK>>>(x, y + 8, n);
    by_a_function<<<3, BLOCK>>>(x, y + 16, n);
    largest_by_a_function<<<3, BLOCK>>>(x, y + 24, n);
    largest<<<3, dim3(16, 8)>>>(f, g, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d ", y[i]);
    printf("%g %g %g\n", g[0], g[1], g[2]);
    with_others<<<1, BLOCK>>>(x, y, z);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d %d ", y[i], z[i]);
    used_again<<<1, BLOCK>>>(x, y);
    other_elements<<<1, BLOCK>>>(x, y + BLOCK);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * BLOCK; ++i)
        printf("%d ", y[i]);
    in_braces<<<1, BLOCK>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < BLOCK; ++i)
        printf("%d ", y[i]);
    printf("\n");
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    cudaFree(f);
    cudaFree(g);
    return 0;
}
