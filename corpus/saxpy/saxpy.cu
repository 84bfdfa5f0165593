// SAXPY: y <- a * x + y, one thread for each element.
//
// usage: saxpy [elements [repetitions]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // The last block may reach past the end of the vectors.
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// Multiples of 1/1024 in [-1, 1): with a = 1/2 every sum below is exact in single precision.
static float next_value(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<int>(state >> 21) - 1024) / 1024.0f;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10000;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 3;
    const float a = 0.5f;
    const size_t bytes = static_cast<size_t>(n) * sizeof(float);

    std::vector<float> x(n), y(n), result(n);
    unsigned seed = 12345u;
    for (int i = 0; i < n; ++i) {
        x[i] = next_value(seed);
        y[i] = next_value(seed);
    }

    float *d_x = nullptr;
    float *d_y = nullptr;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;

    CHECK(cudaEventRecord(start));
    for (int r = 0; r < repetitions; ++r)
        saxpy<<<blocks, threads>>>(n, a, d_x, d_y);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(stop));

    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaMemcpy(result.data(), d_y, bytes, cudaMemcpyDeviceToHost));

    int mismatches = 0;
    double checksum = 0.0;
    for (int i = 0; i < n; ++i) {
        float expected = y[i];
        for (int r = 0; r < repetitions; ++r)
            expected = a * x[i] + expected;
        if (result[i] != expected)
            ++mismatches;
        checksum += result[i] * (1 + i % 7);
    }

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));

    printf("time_ms %.3f\n", milliseconds);
    printf("checksum %.6e\n", checksum);
    printf("%s\n", mismatches == 0 ? "PASS" : "FAIL");
    return mismatches == 0 ? 0 : 1;
}
