// A thread for a column keeps eight rows of the product, and walks down `b` to its end.
//
// usage: register_rows [rows] [columns] [depth]

#include "register_rows.hpp"

#include <cuda_runtime.h>

constexpr int COLUMNS = 64, ROWS = 8, DEPTH = 8;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void multiply(const float *a, const float *b, float *c, int rows, int columns, int depth)
{
    __shared__ float part[DEPTH][ROWS];
    const int t = threadIdx.x;
    a += blockIdx.y * ROWS + t / ROWS * rows + t % ROWS;
    b += blockIdx.x * COLUMNS + t;
    c += blockIdx.y * ROWS * columns + blockIdx.x * COLUMNS + t;
    const float *end = b + depth * columns;

    float sum[ROWS] = {};
    do {
        part[t / ROWS][t % ROWS] = *a;
        __syncthreads();
        for (int k = 0; k < DEPTH; k++, b += columns)
            for (int i = 0; i < ROWS; i++)
                sum[i] += part[k][i] * b[0];
        a += DEPTH * rows;
        __syncthreads();
    } while (b < end);

    for (int i = 0; i < ROWS; i++, c += columns)
        c[0] = sum[i];
}

int main(int argc, char **argv)
{
    const int rows = rounded_up(argument(argc, argv, 1, 48), ROWS);
    const int columns = rounded_up(argument(argc, argv, 2, 64), COLUMNS);
    const int depth = rounded_up(argument(argc, argv, 3, 40), DEPTH);
    const std::vector<float> a = matrix(depth, rows, 3u), b = matrix(depth, columns, 5u);
    std::vector<float> c(static_cast<std::size_t>(rows) * columns);

    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

    const Stopwatch watch;
    multiply<<<dim3(columns / COLUMNS, rows / ROWS), COLUMNS>>>(d_a, d_b, d_c, rows, columns, depth);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    const double sum = checksum(c);
    return report(std::isfinite(sum), sum, ms);
}
