// Forward pass of one fully connected layer, tile by tile.
//
// The weights are a (inputs + 1) x (hidden + 1) matrix: row 0 holds the biases and
// column 0 is unused, so that unit numbers start at 1 on both sides. Every block
// handles a tile of ROWS inputs by COLS hidden units and leaves one partial sum per
// hidden unit; the host adds the partial sums and applies the squashing function.
//
// usage: layer_forward [inputs] [hidden] [repeat]

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 16 // inputs per tile
#define COLS 16 // hidden units per tile

// Position of the weight from input unit `from` to hidden unit `to`.
#define WEIGHT(from, to) ((hidden + 1) * (from) + (to))

#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t status_ = (call);                                                   \
        if (status_ != cudaSuccess) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                          \
                    cudaGetErrorString(status_));                                       \
            exit(EXIT_FAILURE);                                                         \
        }                                                                               \
    } while (0)

// One tile: weights times inputs, summed over the rows of the tile.
__global__ void layer_forward(const float *input, const float *weights, float *products,
                              float *partial, int hidden)
{
    __shared__ float node[ROWS];
    __shared__ float w[ROWS][COLS];

    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int unit = COLS * blockIdx.x + tx + 1;
    int index = WEIGHT(ROWS * by + ty + 1, unit);

    // The first column of threads fetches the inputs of the tile.
    if (tx == 0)
        node[ty] = input[ROWS * by + ty + 1];
    __syncthreads();

    w[ty][tx] = weights[index];
    __syncthreads();

    w[ty][tx] = w[ty][tx] * node[ty];
    __syncthreads();

    // Tree reduction over the rows; the sums end up in row 0.
    for (int half = ROWS / 2; half > 0; half /= 2) {
        if (ty < half)
            w[ty][tx] += w[ty + half][tx];
        __syncthreads();
    }

    // What is left in the tile is kept: the error pass starts from it.
    products[index] = w[ty][tx];
    if (ty == 0)
        partial[by * hidden + unit - 1] = w[0][tx];
}

static unsigned int lcg_state = 12345u;

// Uniform in [-0.5, 0.5).
static float next_random(void)
{
    lcg_state = 1664525u * lcg_state + 1013904223u;
    return (float)(lcg_state >> 8) / 16777216.0f - 0.5f;
}

static float squash(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

int main(int argc, char **argv)
{
    int inputs = argc > 1 ? atoi(argv[1]) : 256;
    int hidden = argc > 2 ? atoi(argv[2]) : 32;
    int repeat = argc > 3 ? atoi(argv[3]) : 1;
    if (inputs <= 0 || inputs % ROWS != 0 || hidden <= 0 || hidden % COLS != 0 || repeat <= 0) {
        fprintf(stderr, "inputs must be a multiple of %d, hidden of %d\n", ROWS, COLS);
        return 2;
    }

    int tiles = inputs / ROWS;
    size_t weight_bytes = sizeof(float) * (inputs + 1) * (hidden + 1);
    size_t input_bytes = sizeof(float) * (inputs + 1);
    size_t partial_bytes = sizeof(float) * tiles * hidden;

    float *input = (float *)malloc(input_bytes);
    float *weights = (float *)malloc(weight_bytes);
    float *products = (float *)malloc(weight_bytes);
    float *partial = (float *)malloc(partial_bytes);
    for (int i = 0; i <= inputs; i++)
        input[i] = next_random() + 0.5f;
    for (int i = 0; i < (inputs + 1) * (hidden + 1); i++)
        weights[i] = next_random();

    float *d_input, *d_weights, *d_products, *d_partial;
    CHECK(cudaMalloc((void **)&d_input, input_bytes));
    CHECK(cudaMalloc((void **)&d_weights, weight_bytes));
    CHECK(cudaMalloc((void **)&d_products, weight_bytes));
    CHECK(cudaMalloc((void **)&d_partial, partial_bytes));
    CHECK(cudaMemcpy(d_input, input, input_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_weights, weights, weight_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_products, 0, weight_bytes));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    dim3 grid(hidden / COLS, tiles);
    dim3 block(COLS, ROWS);

    CHECK(cudaEventRecord(start, 0));
    for (int r = 0; r < repeat; r++)
        layer_forward<<<grid, block>>>(d_input, d_weights, d_products, d_partial, hidden);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, start, stop));

    CHECK(cudaMemcpy(products, d_products, weight_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(partial, d_partial, partial_bytes, cudaMemcpyDeviceToHost));

    // Finish the layer and compare every unit with the plain dot product.
    double activation = 0.0, worst = 0.0;
    for (int j = 1; j <= hidden; j++) {
        float sum = weights[WEIGHT(0, j)];
        for (int k = 0; k < tiles; k++)
            sum += partial[k * hidden + j - 1];

        double expected = weights[WEIGHT(0, j)];
        for (int i = 1; i <= inputs; i++)
            expected += (double)weights[WEIGHT(i, j)] * input[i];
        worst = fmax(worst, fabs(sum - expected) / (1.0 + fabs(expected)));
        activation += squash(sum);
    }

    // The last row of a tile is never added to: it must be the bare product.
    for (int i = ROWS; i <= inputs; i += ROWS)
        for (int j = 1; j <= hidden; j++)
            worst = fmax(worst, fabs(products[WEIGHT(i, j)] - weights[WEIGHT(i, j)] * input[i]));

    int pass = worst < 1e-4;
    printf("units %d\n", hidden);
    printf("activation %.4e\n", activation);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_input));
    CHECK(cudaFree(d_weights));
    CHECK(cudaFree(d_products));
    CHECK(cudaFree(d_partial));
    free(input);
    free(weights);
    free(products);
    free(partial);
    return pass ? 0 : 1;
}
