// Sparse matrix times vector in ELL form, a thread for every row.
//
// usage: ell_product [rows] [entries of a row] [repeats]

#include "ell_product.hpp"

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void multiply(const int *__restrict__ column, const float *__restrict__ value,
                         const float *__restrict__ x, float *__restrict__ y, int rows, int width)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) {
        const int c = column[k * rows + row];
        if (c < 0)
            break;
        sum += value[k * rows + row] * x[c];
    }
    y[row] = sum;
}

int main(int argc, char **argv)
{
    const Ell a = make_ell(argc, argv);
    const size_t entries = a.column.size();
    int *d_column;
    float *d_value, *d_x, *d_y;
    CHECK(cudaMalloc(&d_column, entries * sizeof(int)));
    CHECK(cudaMalloc(&d_value, entries * sizeof(float)));
    CHECK(cudaMalloc(&d_x, a.rows * sizeof(float)));
    CHECK(cudaMalloc(&d_y, a.rows * sizeof(float)));
    CHECK(cudaMemcpy(d_column, a.column.data(), entries * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_value, a.value.data(), entries * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, a.x.data(), a.rows * sizeof(float), cudaMemcpyHostToDevice));

    const Stopwatch watch;
    for (int r = 0; r < a.repeats; ++r)
        multiply<<<(a.rows + 255) / 256, 256>>>(d_column, d_value, d_x, d_y, a.rows, a.width);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> y(a.rows);
    CHECK(cudaMemcpy(y.data(), d_y, a.rows * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_column));
    CHECK(cudaFree(d_value));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return finish(a, y, ms);
}
