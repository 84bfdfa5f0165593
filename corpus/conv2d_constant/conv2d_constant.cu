// Convolution of an image with a small filter. The filter sits in constant memory; each block
// stages an input tile that is wider than its output tile by the filter's apron.
//
// usage: conv2d_constant [width height]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define FILTER_RADIUS 2
#define FILTER_SIZE (2 * FILTER_RADIUS + 1)
#define TILE 16
#define TILE_WITH_APRON (TILE + 2 * FILTER_RADIUS)

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = call;                                                                      \
        if (e != cudaSuccess) {                                                                    \
            fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(e));                      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__constant__ float filter[FILTER_SIZE * FILTER_SIZE];

__device__ int clamp_index(int i, int n) { return min(max(i, 0), n - 1); }

__global__ void convolve(const float *image, float *result, int width, int height)
{
    __shared__ float tile[TILE_WITH_APRON][TILE_WITH_APRON];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x0 = blockIdx.x * TILE - FILTER_RADIUS;
    const int y0 = blockIdx.y * TILE - FILTER_RADIUS;

    // The tile has more pixels than the block has threads: every thread loads up to four.
    for (int y = ty; y < TILE_WITH_APRON; y += TILE) {
        for (int x = tx; x < TILE_WITH_APRON; x += TILE) {
            int column = clamp_index(x0 + x, width);
            int row = clamp_index(y0 + y, height);
            tile[y][x] = image[row * width + column];
        }
    }
    __syncthreads();

    const int column = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;
    if (column >= width || row >= height)
        return;

    float sum = 0.0f;
    for (int fy = 0; fy < FILTER_SIZE; ++fy)
        for (int fx = 0; fx < FILTER_SIZE; ++fx)
            sum += filter[fy * FILTER_SIZE + fx] * tile[ty + fy][tx + fx];
    result[row * width + column] = sum;
}

// Binomial weights, sharpened a little in the centre; they sum to one.
static void make_filter(float *weights)
{
    const float row[FILTER_SIZE] = {1.0f, 4.0f, 6.0f, 4.0f, 1.0f};
    for (int y = 0; y < FILTER_SIZE; ++y)
        for (int x = 0; x < FILTER_SIZE; ++x)
            weights[y * FILTER_SIZE + x] = -row[y] * row[x] / 256.0f;
    weights[FILTER_RADIUS * FILTER_SIZE + FILTER_RADIUS] += 2.0f;
}

static int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

int main(int argc, char **argv)
{
    const int width = argc > 2 ? atoi(argv[1]) : 150;
    const int height = argc > 2 ? atoi(argv[2]) : 70;
    const size_t pixels = (size_t)width * height;
    const size_t bytes = pixels * sizeof(float);

    // 8-bit grey values.
    std::vector<float> image(pixels), result(pixels);
    unsigned lcg = 424242u;
    for (size_t p = 0; p < pixels; ++p) {
        lcg = lcg * 22695477u + 1u;
        image[p] = (float)(lcg >> 24);
    }
    float weights[FILTER_SIZE * FILTER_SIZE];
    make_filter(weights);

    float *d_image, *d_result;
    CHECK(cudaMalloc(&d_image, bytes));
    CHECK(cudaMalloc(&d_result, bytes));
    CHECK(cudaMemcpy(d_image, image.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(filter, weights, sizeof(weights)));

    dim3 block(TILE, TILE);
    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    convolve<<<grid, block>>>(d_image, d_result, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(result.data(), d_result, bytes, cudaMemcpyDeviceToHost));

    int bad = 0;
    double sum = 0.0, edge_strength = 0.0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            float expected = 0.0f;
            for (int fy = -FILTER_RADIUS; fy <= FILTER_RADIUS; ++fy)
                for (int fx = -FILTER_RADIUS; fx <= FILTER_RADIUS; ++fx)
                    expected += weights[(fy + FILTER_RADIUS) * FILTER_SIZE + fx + FILTER_RADIUS] *
                                image[clamped(y + fy, height) * width + clamped(x + fx, width)];
            const float got = result[y * width + x];
            if (std::fabs(got - expected) > 1e-3f)
                ++bad;
            sum += got;
            edge_strength += std::fabs(got - image[y * width + x]);
        }
    }
    printf("time_ms %.3f\n", ms);
    printf("sum %.6e\n", sum);
    printf("edge strength %.6e\n", edge_strength);
    printf("%s\n", bad ? "FAIL" : "PASS");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_result));
    return bad ? 1 : 0;
}
