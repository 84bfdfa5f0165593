// The power method: a thread for every row of the matrix, a norm by blocks, a scaling.
//
// usage: csr_scalar [rows] [mean entries] [steps]

#include "csr_scalar.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 128;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void multiply(int rows, const int *start, const int *column, const double *value,
                         const double *x, double *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) {
        double dot = 0.0;
        int end = start[row + 1];
        for (int k = start[row]; k < end; k++)
            dot += value[k] * x[column[k]];
        y[row] = dot;
    }
}

__global__ void add_squares(int n, const double *y, double *squares)
{
    __shared__ double sum[BLOCK];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    sum[threadIdx.x] = i < n ? y[i] * y[i] : 0.0;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            sum[threadIdx.x] += sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(squares, sum[0]);
}

__global__ void scale(int n, const double *y, const double *squares, double *x)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        x[i] = y[i] / sqrt(*squares / n);
}

template <typename T> static T *to_device(const std::vector<T> &values)
{
    T *device;
    CHECK(cudaMalloc(&device, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv)
{
    const Csr a = make_csr(argc, argv);
    std::vector<double> x(a.rows, 1.0);
    int *d_start = to_device(a.start), *d_column = to_device(a.column);
    double *d_value = to_device(a.value), *d_x = to_device(x), *d_y = to_device(x), *d_squares;
    CHECK(cudaMalloc(&d_squares, sizeof(double)));

    const int blocks = (a.rows + BLOCK - 1) / BLOCK;
    const Stopwatch watch;
    for (int step = 0; step < a.steps; ++step) {
        CHECK(cudaMemset(d_squares, 0, sizeof(double)));
        multiply<<<blocks, BLOCK>>>(a.rows, d_start, d_column, d_value, d_x, d_y);
        add_squares<<<blocks, BLOCK>>>(a.rows, d_y, d_squares);
        scale<<<blocks, BLOCK>>>(a.rows, d_y, d_squares, d_x);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    CHECK(cudaMemcpy(x.data(), d_x, a.rows * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_start));
    CHECK(cudaFree(d_column));
    CHECK(cudaFree(d_value));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_squares));
    return finish(a, x, ms);
}
