// Kernels that launch kernels, and themselves: each launch is a call where it stands.
#include <cstdio>

__global__ void scale(float *x, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

__global__ void turn_around(int *x)
{
    extern __shared__ int row[];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}

__device__ int calls;

__global__ void count() { atomicAdd(&calls, 1); }

// A device function that launches, and one row of threads for each block of the parent.
__device__ void start(int *rows, int row)
{
    turn_around<<<1, 8, 8 * sizeof(int)>>>(rows + row * 8);
    count<<<2, dim3(2, 2)>>>();
}

__global__ void all_rows(int *rows)
{
    if (threadIdx.x == 0)
        start(rows, blockIdx.x);
}

// Halves a range until it is short, as adaptive methods do; every level is a grid.
template <typename T>
__global__ void refine(T *cells, int begin, int end, int depth)
{
    if (end - begin <= 4 || depth == 5) {
        for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
            cells[i] += T(depth);
        return;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        int middle = begin + (end - begin) / 3;
        dim3 block(blockDim.x);
        refine<T><<<1, block, 0, stream>>>(cells, begin, middle, depth + 1);
        refine<<<1, block>>>(cells, middle, end, depth + 1);
        cudaStreamDestroy(stream);
    }
}

__global__ void by_need(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1 && y[i] > 100.0f)
        scale<<<(blockDim.x + 31) / 32, 32, 0, cudaStreamFireAndForget>>>(
            y + blockIdx.x * blockDim.x, 0.5f, blockDim.x);
}

int main()
{
    const int n = 96;
    int *rows;
    float *x, *y;
    double *cells;
    cudaMallocManaged(&rows, n * sizeof(int));
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&cells, n * sizeof(double));
    for (int i = 0; i < n; ++i) {
        rows[i] = i * 7 % 31;
        x[i] = i * 0.25f;
        cells[i] = i;
    }
    all_rows<<<n / 8, 8>>>(rows);
    refine<<<1, 16>>>(cells, 0, n, 0);
    by_need<<<3, 32>>>(x, y, n);
    cudaDeviceSynchronize();
    int counted;
    cudaMemcpyFromSymbol(&counted, calls, sizeof(int));
    double sum = counted;
    for (int i = 0; i < n; ++i)
        sum += (i % 13 + 1) * (rows[i] + cells[i] + y[i]);
    std::printf("%d %.6f\n", counted, sum);
}
