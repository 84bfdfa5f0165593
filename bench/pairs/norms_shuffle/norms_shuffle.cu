// Three norms in one pass: threads run over the grid's stride, warps add up in shuffles, the first
// warp adds the others' results up, and one thread adds the block's to the result.
//
// usage: norms_shuffle [elements] [repeats]

#include "norms_shuffle.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 256;
constexpr int WARP = 32;
constexpr unsigned ALL = 0xffffffffu;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ float warp_sum(float value)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL, value, offset);
    return value;
}

__device__ float warp_max(float value)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_down_sync(ALL, value, offset));
    return value;
}

__global__ void norms(const float *__restrict__ x, int n, double *absolute, double *squares,
                      int *largest_bits)
{
    __shared__ float absolutes[BLOCK / WARP], square_sums[BLOCK / WARP], maxima[BLOCK / WARP];
    float sum = 0.0f, square = 0.0f, largest = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const float magnitude = fabsf(x[i]);
        sum += magnitude;
        square += magnitude * magnitude;
        largest = fmaxf(largest, magnitude);
    }

    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    sum = warp_sum(sum);
    square = warp_sum(square);
    largest = warp_max(largest);
    if (lane == 0) {
        absolutes[warp] = sum;
        square_sums[warp] = square;
        maxima[warp] = largest;
    }
    __syncthreads();

    if (warp == 0) {
        const bool has_warp = lane < BLOCK / WARP;
        sum = warp_sum(has_warp ? absolutes[lane] : 0.0f);
        square = warp_sum(has_warp ? square_sums[lane] : 0.0f);
        largest = warp_max(has_warp ? maxima[lane] : 0.0f);
        if (lane == 0) {
            atomicAdd(absolute, (double)sum);
            atomicAdd(squares, (double)square);
            // The bits of floats that are not negative are in the order of their values.
            atomicMax(largest_bits, __float_as_int(largest));
        }
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 100000);
    const int repeats = argument(argc, argv, 2, 2);
    const std::vector<float> x = random_vector(n);

    float *d_x;
    double *d_sums;
    int *d_largest;
    CHECK(cudaMalloc(&d_x, n * sizeof(float)));
    CHECK(cudaMalloc(&d_sums, 2 * sizeof(double)));
    CHECK(cudaMalloc(&d_largest, sizeof(int)));
    CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    const int blocks = std::min((n + BLOCK - 1) / BLOCK, 512);
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r) {
        CHECK(cudaMemset(d_sums, 0, 2 * sizeof(double)));
        CHECK(cudaMemset(d_largest, 0, sizeof(int)));
        norms<<<blocks, BLOCK>>>(d_x, n, &d_sums[0], &d_sums[1], d_largest);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    Norms result;
    CHECK(cudaMemcpy(&result.absolute, &d_sums[0], sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&result.squares, &d_sums[1], sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&result.largest, d_largest, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_largest));
    return report(is_right(result, x), result.absolute + result.squares, ms);
}
