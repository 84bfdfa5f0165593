// Layer normalisation: a block for every row; mean and variance in one pass over the row and trees
// in shared memory, then a second pass.
//
// usage: layer_norm_rows [rows] [columns] [repeats]

#include "layer_norm_rows.hpp"

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ float block_sum(float value, float *shared)
{
    const int tid = threadIdx.x;
    shared[tid] = value;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            shared[tid] += shared[tid + stride];
        __syncthreads();
    }
    const float sum = shared[0];
    __syncthreads();
    return sum;
}

__global__ void layer_norm(const float *input, const float *gamma, const float *beta,
                           float *output, int cols)
{
    extern __shared__ float shared[];
    const float *x = input + blockIdx.x * cols;
    float *y = output + blockIdx.x * cols;

    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        const float value = x[i];
        sum += value;
        squares += value * value;
    }
    const float mean = block_sum(sum, shared) / cols;
    const float variance = block_sum(squares, shared) / cols - mean * mean;
    const float inverse = rsqrtf(variance + EPSILON);

    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[i] = (x[i] - mean) * inverse * gamma[i] + beta[i];
}

int main(int argc, char **argv)
{
    const Layer layer = make_layer(argc, argv);
    const size_t bytes = layer.input.size() * sizeof(float);
    const size_t col_bytes = layer.cols * sizeof(float);
    float *d_input, *d_output, *d_gamma, *d_beta;
    CHECK(cudaMalloc(&d_input, bytes));
    CHECK(cudaMalloc(&d_output, bytes));
    CHECK(cudaMalloc(&d_gamma, col_bytes));
    CHECK(cudaMalloc(&d_beta, col_bytes));
    CHECK(cudaMemcpy(d_input, layer.input.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_gamma, layer.gamma.data(), col_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_beta, layer.beta.data(), col_bytes, cudaMemcpyHostToDevice));

    const int block = 256;
    const Stopwatch watch;
    for (int r = 0; r < layer.repeats; ++r)
        layer_norm<<<layer.rows, block, block * sizeof(float)>>>(d_input, d_gamma, d_beta, d_output,
                                                                 layer.cols);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> output(layer.input.size());
    CHECK(cudaMemcpy(output.data(), d_output, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_input));
    CHECK(cudaFree(d_output));
    CHECK(cudaFree(d_gamma));
    CHECK(cudaFree(d_beta));
    return finish(layer, output, ms);
}
