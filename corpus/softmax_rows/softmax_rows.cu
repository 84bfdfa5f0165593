// Softmax of every row of a matrix: one block per row.
//
// The maximum and the sum of a row are block reductions: first inside each warp with
// shuffles, then the first warp combines one value per warp.
//
// usage: softmax_rows [rows] [cols] [repeat]

#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WARP_SIZE 32
#define BLOCK_SIZE 128
#define FULL_MASK 0xffffffffu

#define CHECK_CUDA(call)                                                          \
    do {                                                                          \
        cudaError_t e = call;                                                     \
        if (e != cudaSuccess) {                                                   \
            fprintf(stderr, "CUDA error %d (%s) at line %d\n", static_cast<int>(e), \
                    cudaGetErrorString(e), __LINE__);                             \
            return 1;                                                             \
        }                                                                         \
    } while (0)

__device__ __forceinline__ float warp_max(float value)
{
    #pragma unroll
    for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1)
        value = fmaxf(value, __shfl_xor_sync(FULL_MASK, value, offset));
    return value;
}

__device__ __forceinline__ float warp_sum(float value)
{
    #pragma unroll
    for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1)
        value += __shfl_xor_sync(FULL_MASK, value, offset);
    return value;
}

// Maximum over the block, returned to every thread. `scratch` has one slot per warp.
__device__ float block_max(float value, float *scratch)
{
    const int lane = threadIdx.x % WARP_SIZE;
    const int warp = threadIdx.x / WARP_SIZE;
    const int warps = blockDim.x / WARP_SIZE;

    value = warp_max(value);
    if (lane == 0)
        scratch[warp] = value;
    __syncthreads();

    value = lane < warps ? scratch[lane] : -FLT_MAX;
    value = warp_max(value);
    __syncthreads(); // scratch may be used again
    return value;
}

// Sum over the block, returned to every thread.
__device__ float block_sum(float value, float *scratch)
{
    const int lane = threadIdx.x % WARP_SIZE;
    const int warp = threadIdx.x / WARP_SIZE;
    const int warps = blockDim.x / WARP_SIZE;

    value = warp_sum(value);
    if (lane == 0)
        scratch[warp] = value;
    __syncthreads();

    value = lane < warps ? scratch[lane] : 0.0f;
    value = warp_sum(value);
    __syncthreads();
    return value;
}

__global__ void softmax_rows(const float *in, float *out, int cols)
{
    __shared__ float scratch[WARP_SIZE];

    const float *x = in + static_cast<size_t>(blockIdx.x) * cols;
    float *y = out + static_cast<size_t>(blockIdx.x) * cols;

    // Largest element, to keep the exponentials in range.
    float largest = -FLT_MAX;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        largest = fmaxf(largest, x[c]);
    largest = block_max(largest, scratch);

    // Unnormalised probabilities go straight to the output.
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        float e = expf(x[c] - largest);
        y[c] = e;
        sum += e;
    }
    sum = block_sum(sum, scratch);

    // Each thread scales what it wrote itself, so no barrier is needed here.
    const float scale = 1.0f / sum;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[c] *= scale;
}

struct Lcg {
    unsigned state;
    float uniform()
    {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) * (1.0f / 16777216.0f);
    }
};

// Largest difference from a serial softmax in double.
static double max_error(const std::vector<float> &in, const std::vector<float> &out, int rows,
                        int cols)
{
    double worst = 0.0;
    for (int r = 0; r < rows; ++r) {
        const float *x = in.data() + static_cast<size_t>(r) * cols;
        const float *y = out.data() + static_cast<size_t>(r) * cols;
        double largest = x[0];
        for (int c = 1; c < cols; ++c)
            largest = std::fmax(largest, x[c]);
        double sum = 0.0;
        for (int c = 0; c < cols; ++c)
            sum += std::exp(x[c] - largest);
        for (int c = 0; c < cols; ++c)
            worst = std::fmax(worst, std::fabs(y[c] - std::exp(x[c] - largest) / sum));
    }
    return worst;
}

int main(int argc, char *argv[])
{
    const int rows = argc > 1 ? atoi(argv[1]) : 24;
    const int cols = argc > 2 ? atoi(argv[2]) : 300;
    const int repeat = argc > 3 ? atoi(argv[3]) : 1;
    if (rows <= 0 || cols <= 0 || repeat <= 0) {
        fprintf(stderr, "usage: %s [rows] [cols] [repeat]\n", argv[0]);
        return 2;
    }

    const size_t count = static_cast<size_t>(rows) * cols;
    std::vector<float> in(count), out(count);
    Lcg lcg{2024u};
    for (float &x : in)
        x = 10.0f * lcg.uniform() - 5.0f;

    float *d_in, *d_out;
    CHECK_CUDA(cudaMalloc(&d_in, count * sizeof(float)));
    CHECK_CUDA(cudaMalloc(&d_out, count * sizeof(float)));
    CHECK_CUDA(cudaMemcpy(d_in, in.data(), count * sizeof(float), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK_CUDA(cudaEventCreate(&start));
    CHECK_CUDA(cudaEventCreate(&stop));
    CHECK_CUDA(cudaEventRecord(start));
    for (int r = 0; r < repeat; ++r)
        softmax_rows<<<rows, BLOCK_SIZE>>>(d_in, d_out, cols);
    CHECK_CUDA(cudaEventRecord(stop));
    CHECK_CUDA(cudaEventSynchronize(stop));
    CHECK_CUDA(cudaGetLastError());
    float ms = 0.0f;
    CHECK_CUDA(cudaEventElapsedTime(&ms, start, stop));
    CHECK_CUDA(cudaMemcpy(out.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost));

    const double error = max_error(in, out, rows, cols);
    double total = 0.0, squares = 0.0;
    for (float p : out) {
        total += p;
        squares += static_cast<double>(p) * p;
    }

    const bool pass = error < 1e-5;
    printf("total %.4e\n", total);
    printf("squares %.4e\n", squares);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    CHECK_CUDA(cudaEventDestroy(start));
    CHECK_CUDA(cudaEventDestroy(stop));
    CHECK_CUDA(cudaFree(d_in));
    CHECK_CUDA(cudaFree(d_out));
    return pass ? 0 : 1;
}
