// The Thomas algorithm, one system for each thread. The walk down leaves the modified upper
// diagonal in `work` and the modified right side in `x`.
//
// usage: batched_tridiagonal [systems] [rows] [repeats]

#include "batched_tridiagonal.hpp"

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void thomas(const double *__restrict__ lower, const double *__restrict__ diagonal,
                       const double *__restrict__ upper, const double *__restrict__ right,
                       double *__restrict__ work, double *__restrict__ x, int size, int count)
{
    int tid = threadIdx.x + blockDim.x * blockIdx.x;
    if (tid >= count)
        return;

    int index = tid;
    double c = upper[index] / diagonal[index];
    double d = right[index] / diagonal[index];
    work[index] = c;
    x[index] = d;
    for (int row = 1; row < size; row++) {
        index += count;
        double scale = 1.0 / (diagonal[index] - lower[index] * c);
        c = upper[index] * scale;
        d = (right[index] - lower[index] * d) * scale;
        work[index] = c;
        x[index] = d;
    }
    for (int row = size - 2; row >= 0; row--) {
        index -= count;
        d = x[index] - work[index] * d;
        x[index] = d;
    }
}

static double *to_device(const std::vector<double> &values)
{
    double *device;
    CHECK(cudaMalloc(&device, values.size() * sizeof(double)));
    CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(double),
                     cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv)
{
    const Systems systems = make_systems(argc, argv);
    const size_t bytes = systems.right.size() * sizeof(double);
    double *d_lower = to_device(systems.lower), *d_diagonal = to_device(systems.diagonal);
    double *d_upper = to_device(systems.upper), *d_right = to_device(systems.right);
    double *d_work, *d_x;
    CHECK(cudaMalloc(&d_work, bytes));
    CHECK(cudaMalloc(&d_x, bytes));

    const int blocks = (systems.count + 127) / 128;
    const Stopwatch watch;
    for (int r = 0; r < systems.repeats; ++r)
        thomas<<<blocks, 128>>>(d_lower, d_diagonal, d_upper, d_right, d_work, d_x, systems.size,
                                systems.count);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<double> x(systems.right.size());
    CHECK(cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost));
    for (double *each : {d_lower, d_diagonal, d_upper, d_right, d_work, d_x})
        CHECK(cudaFree(each));
    return finish(systems, x, ms);
}
