// Softmax with a warp for every row: the largest value and the sum of exponentials of all lanes
// are brought together in butterflies (Milakov and Gimelshein 2018).
//
// usage: softmax_online [rows] [columns] [repeats]

#include "softmax_online.hpp"

#include <cuda_runtime.h>

constexpr int WARP_SIZE = 32;
constexpr int ROWS_PER_BLOCK = 4;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

struct Partial {
    float largest;
    float sum;
};

__device__ Partial combine(Partial a, Partial b)
{
    const bool first = a.largest > b.largest;
    const Partial bigger = first ? a : b, smaller = first ? b : a;
    return {bigger.largest, bigger.sum + smaller.sum * expf(smaller.largest - bigger.largest)};
}

__global__ void softmax(const float *__restrict__ input, float *__restrict__ output, int rows,
                        int cols, float inverse_temperature)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const float *x = input + row * cols;

    Partial mine = {-INFINITY, 0.0f};
    for (int i = lane; i < cols; i += WARP_SIZE) {
        const float value = x[i] * inverse_temperature;
        const float largest = fmaxf(mine.largest, value);
        mine.sum = mine.sum * expf(mine.largest - largest) + expf(value - largest);
        mine.largest = largest;
    }
    for (int mask = WARP_SIZE / 2; mask > 0; mask /= 2) {
        Partial other;
        other.largest = __shfl_xor_sync(0xffffffff, mine.largest, mask);
        other.sum = __shfl_xor_sync(0xffffffff, mine.sum, mask);
        mine = combine(mine, other);
    }

    const float scale = 1.0f / mine.sum;
    for (int i = lane; i < cols; i += WARP_SIZE)
        output[row * cols + i] = expf(x[i] * inverse_temperature - mine.largest) * scale;
}

int main(int argc, char **argv)
{
    const Scores scores = make_scores(argc, argv);
    if (scores.cols < WARP_SIZE) {
        std::fprintf(stderr, "at least %d columns\n", WARP_SIZE);
        return 2;
    }
    const size_t bytes = scores.input.size() * sizeof(float);
    float *d_input, *d_output;
    CHECK(cudaMalloc(&d_input, bytes));
    CHECK(cudaMalloc(&d_output, bytes));
    CHECK(cudaMemcpy(d_input, scores.input.data(), bytes, cudaMemcpyHostToDevice));

    const dim3 block(WARP_SIZE, ROWS_PER_BLOCK);
    const int blocks = (scores.rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
    const Stopwatch watch;
    for (int r = 0; r < scores.repeats; ++r)
        softmax<<<blocks, block>>>(d_input, d_output, scores.rows, scores.cols,
                                   1.0f / TEMPERATURE);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> output(scores.input.size());
    CHECK(cudaMemcpy(output.data(), d_output, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_input));
    CHECK(cudaFree(d_output));
    return finish(scores, output, ms);
}
