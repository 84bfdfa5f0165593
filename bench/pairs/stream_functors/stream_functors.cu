// STREAM through functors: one kernel template runs whatever is given to it for every index.
//
// usage: stream_functors [elements] [repeats]

#include "stream_functors.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 256;
constexpr int DOT_BLOCKS = 256;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

template <typename Function> __global__ void for_each_kernel(size_t n, Function function)
{
    const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
        function(i);
}

template <typename Function> void for_each(size_t n, Function function)
{
    const size_t blocks = std::min<size_t>((n + BLOCK - 1) / BLOCK, 1024);
    for_each_kernel<<<static_cast<unsigned>(blocks), BLOCK>>>(n, function);
    CHECK(cudaGetLastError());
}

struct Fill {
    double *target;
    double value;
    __device__ void operator()(size_t i) const { target[i] = value; }
};

struct Copy {
    const double *from;
    double *to;
    __device__ void operator()(size_t i) const { to[i] = from[i]; }
};

struct Scale {
    const double *from;
    double *to;
    double factor;
    __device__ void operator()(size_t i) const { to[i] = factor * from[i]; }
};

struct Add {
    const double *left, *right;
    double *to;
    __device__ void operator()(size_t i) const { to[i] = left[i] + right[i]; }
};

struct Triad {
    const double *left, *right;
    double *to;
    double factor;
    __device__ void operator()(size_t i) const { to[i] = left[i] + factor * right[i]; }
};

__global__ void dot_kernel(size_t n, const double *a, const double *b, double *partial)
{
    __shared__ double sums[BLOCK];
    const int t = threadIdx.x;
    double sum = 0.0;
    for (size_t i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        sum += a[i] * b[i];
    sums[t] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        partial[blockIdx.x] = sums[0];
}

static double dot(size_t n, const double *a, const double *b, double *d_partial)
{
    double partial[DOT_BLOCKS], sum = 0.0;
    dot_kernel<<<DOT_BLOCKS, BLOCK>>>(n, a, b, d_partial);
    CHECK(cudaMemcpy(partial, d_partial, sizeof(partial), cudaMemcpyDeviceToHost));
    for (double each : partial)
        sum += each;
    return sum;
}

int main(int argc, char **argv)
{
    const size_t n = argument(argc, argv, 1, 100000);
    const int repeats = argument(argc, argv, 2, 3);
    const size_t bytes = n * sizeof(double);

    double *d_a, *d_b, *d_c, *d_partial;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMalloc(&d_partial, DOT_BLOCKS * sizeof(double)));
    for_each(n, Fill{d_a, FIRST_A});
    for_each(n, Fill{d_b, FIRST_B});
    for_each(n, Fill{d_c, FIRST_C});
    CHECK(cudaDeviceSynchronize());

    double sum = 0.0;
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r) {
        for_each(n, Copy{d_a, d_c});
        for_each(n, Scale{d_c, d_b, SCALAR});
        for_each(n, Add{d_a, d_b, d_c});
        for_each(n, Triad{d_b, d_c, d_a, SCALAR});
        sum = dot(n, d_a, d_b, d_partial);
    }
    const double ms = watch.milliseconds();

    std::vector<double> a(n), b(n), c(n);
    CHECK(cudaMemcpy(a.data(), d_a, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(b.data(), d_b, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_partial));
    return report(is_right(a, b, c, sum, repeats), sum, ms);
}
