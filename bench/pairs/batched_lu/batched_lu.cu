// Batched LU without pivoting: each thread factors one matrix in place and solves its system.
//
// usage: batched_lu [systems] [order] [repeats]

#include "batched_lu.hpp"

#include <cuda_runtime.h>

#define AT(i, j) a[((i) * n + (j)) * batch + id]

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void factor(float *a, int n, int batch)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch)
        return;
    for (int k = 0; k < n; k++) {
        float pivot = 1.0f / AT(k, k);
        for (int i = k + 1; i < n; i++) {
            float factor = AT(i, k) * pivot;
            AT(i, k) = factor;
            for (int j = k + 1; j < n; j++)
                AT(i, j) -= factor * AT(k, j);
        }
    }
}

__global__ void solve(const float *a, float *x, int n, int batch)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch)
        return;
    for (int i = 1; i < n; i++) {
        float sum = x[i * batch + id];
        for (int j = 0; j < i; j++)
            sum -= AT(i, j) * x[j * batch + id];
        x[i * batch + id] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        float sum = x[i * batch + id];
        for (int j = i + 1; j < n; j++)
            sum -= AT(i, j) * x[j * batch + id];
        x[i * batch + id] = sum / AT(i, i);
    }
}

int main(int argc, char **argv)
{
    const Batch batch = make_batch(argc, argv);
    const size_t matrix_bytes = batch.matrix.size() * sizeof(float);
    const size_t right_bytes = batch.right.size() * sizeof(float);
    float *d_a, *d_x;
    CHECK(cudaMalloc(&d_a, matrix_bytes));
    CHECK(cudaMalloc(&d_x, right_bytes));

    const int blocks = (batch.count + 127) / 128;
    double ms = 0.0;
    for (int r = 0; r < batch.repeats; ++r) {
        CHECK(cudaMemcpy(d_a, batch.matrix.data(), matrix_bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_x, batch.right.data(), right_bytes, cudaMemcpyHostToDevice));
        const Stopwatch watch;
        factor<<<blocks, 128>>>(d_a, batch.order, batch.count);
        solve<<<blocks, 128>>>(d_a, d_x, batch.order, batch.count);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        ms += watch.milliseconds();
    }

    std::vector<float> x(batch.right.size());
    CHECK(cudaMemcpy(x.data(), d_x, right_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_x));
    return finish(batch, x, ms);
}
