// What a kernel is given, and how its threads leave it, on a device with memory of its own.
#include <cstdio>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

struct Box {
    float *data;
    int n;
    float scale;
};

__constant__ float factors[2] = {1.0f, 2.0f};
static __device__ int launches;
extern __device__ int later;
__device__ int plus_one(int x);

__global__ void scale(Box box, const float *__restrict__ in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < box.n)
        box.data[i] = in[i] * box.scale * factors[i % 2];
}

// A return from inside of a loop ends one thread.
template <typename T> __global__ void fill(T value, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; ++k) {
        if (k > i)
            return;
        if (i < n && k == i)
            out[i] = value;
    }
}

__global__ void smooth(float *x, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    grid.sync();
    for (int r = 0; r < rounds; ++r) {
        if (i < n)
            x[i] = v + (i + 1 < n ? x[i + 1] * 0.0f : 0.0f);
        grid.sync();
        if (i < n)
            v = x[i] + i;
        grid.sync();
    }
}

// Rounds until nobody in the block has anything left.
__global__ void rounds_left(const int *in, int *out, int rounds)
{
    __shared__ int some_left;
    int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        if (t == 0)
            some_left = 0;
        __syncthreads();
        if (in[blockIdx.x * blockDim.x + t] > r)
            some_left = 1;
        __syncthreads();
        if (!some_left) {
            if (t == 0)
                out[blockIdx.x] = r;
            return;
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = rounds;
}

__global__ void places(int *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    int place = (blockIdx.y * 4 + y) * 8 + blockIdx.x * 4 + x;
    out[place] = blockIdx.y * 1000 + blockIdx.x * 100 + y * 10 + x;
}

// One thread, and no loop.
__global__ void count()
{
    launches = launches + plus_one(1);
    later = launches;
}

// One block.
__global__ void suffix_sums(int *x, int n)
{
    extern __shared__ int shared[];
    int t = threadIdx.x;
    int mine = x[t];
    shared[t] = mine;
    __syncthreads();
    int sum = 0;
    for (int k = t + 1; k < n; ++k)
        sum += shared[k];
    __syncthreads();
    x[t] = sum + mine;
}

__device__ int later;
__device__ int plus_one(int x) { return x + 1; }

template <typename T> void show(const char *what, const T *device, int n)
{
    T host[64];
    cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDefault);
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += host[i] * (1.0 + i);
    printf("%s %.3f\n", what, sum);
}

int main()
{
    const int n = 16;
    float values[n], *in, *out;
    int numbers[n] = {1, 2, 0, 1, 0, 0, 0, 0, 5, 5, 3, 1, 9, 9, 9, 9}, *a, *b;
    for (int i = 0; i < n; ++i)
        values[i] = i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMalloc(&a, sizeof numbers);
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice);

    scale<<<2, 8>>>(Box{out, n, 2.0f}, in);
    show("scale", out, n);
    const float other[2] = {3.0f, 4.0f};
    cudaMemcpyToSymbol(factors, other, sizeof other);
    scale<<<2, 8>>>(Box{out, n, 2.0f}, in);
    show("scale", out, n);
    fill<<<2, 8>>>(3.5f, out, n);
    show("fill", out, n);
    cudaMemset(out, 0, sizeof values);
    show("memset", out, n);

    int count_of = n, rounds = 3;
    void *arguments[] = {&in, &count_of, &rounds};
    cudaLaunchCooperativeKernel((void *)smooth, dim3(2), dim3(8), arguments, 0, 0);
    show("smooth", in, n);
    rounds_left<<<4, 4>>>(a, b, 6);
    show("rounds", b, 4);
    places<<<dim3(2, 2), dim3(4, 4)>>>(b);
    show("places", b, 64);
    suffix_sums<<<1, n, n * sizeof(int)>>>(a, n);
    show("suffix sums", a, n);

    count<<<1, 1>>>();
    count<<<1, 1>>>();
    int found = 0;
    cudaMemcpyFromSymbol(&found, launches, sizeof found);
    printf("launches %d\n", found);
    cudaMemcpyFromSymbol(&found, later, sizeof found);
    printf("later %d\n", found);

    int *managed;
    if (cudaMallocManaged(&managed, n * sizeof(int)) == cudaSuccess) {
        for (int i = 0; i < n; ++i)
            managed[i] = i;
        suffix_sums<<<1, n, n * sizeof(int)>>>(managed, n);
        cudaDeviceSynchronize();
        printf("managed %d %d\n", managed[0], managed[n - 1]);
        cudaFree(managed);
    }
    printf("%d %d\n", cudaFree(in), cudaFree(out));
    return 0;
}
