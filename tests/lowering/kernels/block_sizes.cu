#include <cstdio>

// Sizes of blocks that kernels call by a name of their own.

#define WIDTH 64
constexpr int COLUMNS = 16, ROWS = 4;

// A parameter of the template, one value for each launch.
template <int BLOCK>
__global__ void scaled(const int *x, int *y, int a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

// All launches have the same one; the bound is stated.
template <typename T, unsigned SIZE>
__global__ void __launch_bounds__(SIZE) squared(const T *x, T *y, int n)
{
    for (unsigned i = SIZE * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * SIZE)
        y[i] = x[i] * x[i];
}

// A number that happens to be the size of the block, too.
template <int FEATURES> __global__ void features(const int *x, int *y)
{
    int sum = 0;
    for (int f = 0; f < FEATURES; ++f)
        sum += x[f * gridDim.x + blockIdx.x];
    atomicAdd(&y[threadIdx.x % FEATURES], sum);
}

// A macro, constants, a number.
__global__ void of_macro(const int *x, int *y, int n)
{
    int i = threadIdx.x + blockIdx.x * WIDTH;
    if (i >= n)
        return;
    y[i] = x[i] + 1;
}

__global__ void of_constants(const int *x, int *y, int n)
{
    int column = blockIdx.x * COLUMNS + threadIdx.x, row = blockIdx.y * ROWS + threadIdx.y;
    if (row < n && column < n)
        y[row * n + column] = x[column * n + row];
}

__global__ void of_number(const int *x, int *y)
{
    y[blockIdx.x * 32 + threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x] - 1;
}

// Blocks overlap: they are not what the index is made from.
template <int STEP> __global__ void overlapping(const int *x, int *y)
{
    atomicAdd(&y[blockIdx.x * STEP + threadIdx.x], x[blockIdx.x]);
}

// The size is known by the case of a switch. Guards without a sign are bounds.
template <class T, unsigned int blockSize, bool whole>
__global__ void sums(const T *in, T *out, unsigned int n)
{
    extern __shared__ int memory[];
    T *s = (T *)memory;
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + tid;
    T sum = 0;
    while (i < n) {
        sum += in[i];
        if (whole || i + blockSize < n)
            sum += in[i + blockSize];
        i += blockSize * 2 * gridDim.x;
    }
    s[tid] = sum;
    __syncthreads();
    if ((blockSize >= 256) && (tid < 128))
        s[tid] = sum = sum + s[tid + 128];
    __syncthreads();
    if ((blockSize >= 128) && (tid < 64))
        s[tid] = sum = sum + s[tid + 64];
    __syncthreads();
    if (tid < 32) {
        sum += s[tid + 32];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum(int n, int threads, int blocks, const T *in, T *out)
{
    dim3 block(threads, 1, 1);
    const size_t bytes = threads * sizeof(T);
    switch (threads) {
    case 256:
        if (n % 512 == 0)
            sums<T, 256, true><<<blocks, block, bytes>>>(in, out, n);
        else
            sums<T, 256, false><<<blocks, block, bytes>>>(in, out, n);
        break;
    case 128:
        sums<T, 128, false><<<blocks, block, bytes>>>(in, out, n);
        break;
    case 64:
        sums<T, 64, false><<<blocks, threads, bytes>>>(in, out, n);
        break;
    }
}

static void show(const char *what, const int *y, int n)
{
    cudaDeviceSynchronize();
    long total = 0;
    for (int i = 0; i < n; ++i)
        total = (total * 31 + y[i]) % 1000003;
    printf("%s %ld\n", what, total);
}

int main()
{
    const int n = 1000;
    int *x, *y;
    cudaMallocManaged(&x, 1024 * sizeof(int));
    cudaMallocManaged(&y, 1024 * sizeof(int));
    for (int i = 0; i < 1024; ++i)
        x[i] = i * 7 % 13, y[i] = 0;

    scaled<128><<<8, 128>>>(x, y, 3, n);
    show("scaled", y, n);
    constexpr int threads = 32;
    const dim3 block(threads);
    scaled<threads><<<(n + threads - 1) / threads, block>>>(x, y, 5, n);
    show("scaled", y, n);
    squared<int, 64><<<3, 64>>>(x, y, n);
    show("squared", y, n);
    features<16><<<4, 16>>>(x, y);
    show("features", y, 16);
    of_macro<<<(n + WIDTH - 1) / WIDTH, WIDTH>>>(x, y, n);
    show("of_macro", y, n);
    of_constants<<<dim3(2, 8), dim3(COLUMNS, ROWS)>>>(x, y, 30);
    show("of_constants", y, 900);
    of_number<<<32, 32>>>(x, y);
    show("of_number", y, 1024);
    overlapping<8><<<10, 16>>>(x, y);
    show("overlapping", y, 100);
    for (int size = 64; size <= 256; size *= 2) {
        sum(n, size, 3, x, y);
        show("sums", y, 3);
        sum(1024, size, 1, x, y);
        show("sums", y, 1);
    }
    cudaFree(x);
    cudaFree(y);
    return 0;
}
