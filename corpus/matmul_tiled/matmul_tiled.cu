// C = A * B for square matrices of any size; tiles of A and B pass through shared memory.
//
// usage: matmul_tiled [n [tile: 8, 16 or 32]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));    \
            std::exit(EXIT_FAILURE);                                                               \
        }                                                                                          \
    } while (0)

template <int TILE>
__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b,
                       float *__restrict__ c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        // Each thread fetches one element of both tiles; beyond the matrices there are zeros.
        a_tile[ty][tx] = (row < n && k0 + tx < n) ? a[row * n + k0 + tx] : 0.0f;
        b_tile[ty][tx] = (k0 + ty < n && col < n) ? b[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += a_tile[ty][k] * b_tile[k][tx];

        // Nobody may overwrite a tile that another thread still reads.
        __syncthreads();
    }

    if (row < n && col < n)
        c[row * n + col] = sum;
}

template <int TILE>
void launch_matmul(const float *a, const float *b, float *c, int n)
{
    const int tiles = (n + TILE - 1) / TILE;
    const dim3 grid(tiles, tiles);
    const dim3 block(TILE, TILE);
    matmul<TILE><<<grid, block>>>(a, b, c, n);
    CHECK(cudaGetLastError());
}

// Multiples of 1/8 in [-1, 1): all partial sums are exact in single precision.
static void fill(std::vector<float> &matrix, unsigned seed)
{
    for (float &element : matrix) {
        seed = seed * 1664525u + 1013904223u;
        element = static_cast<float>(static_cast<int>(seed >> 28) - 8) / 8.0f;
    }
}

static std::vector<float> multiply_serial(const std::vector<float> &a,
                                          const std::vector<float> &b, int n)
{
    std::vector<float> c(a.size(), 0.0f);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    return c;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 70;
    const int tile = argc > 2 ? std::atoi(argv[2]) : 16;
    const size_t elements = static_cast<size_t>(n) * n;
    const size_t bytes = elements * sizeof(float);

    std::vector<float> a(elements), b(elements), c(elements);
    fill(a, 1u);
    fill(b, 2u);

    float *d_a, *d_b, *d_c;
    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc(&d_b, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    switch (tile) {
    case 8:
        launch_matmul<8>(d_a, d_b, d_c, n);
        break;
    case 32:
        launch_matmul<32>(d_a, d_b, d_c, n);
        break;
    default:
        launch_matmul<16>(d_a, d_b, d_c, n);
        break;
    }
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));

    const std::vector<float> expected = multiply_serial(a, b, n);
    double trace = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i)
        trace += c[i * n + i];
    for (float element : c)
        squares += static_cast<double>(element) * element;
    const bool ok = c == expected;

    std::printf("time_ms %.3f\n", milliseconds);
    std::printf("trace %.6e\n", trace);
    std::printf("squares %.6e\n", squares);
    std::printf("%s\n", ok ? "PASS" : "FAIL");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    return ok ? 0 : 1;
}
