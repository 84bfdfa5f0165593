// Anisotropic diffusion: a thread for every pixel finds its row and its column by the length of a
// column, and its neighbours in arrays of indices.
//
// usage: speckle_columns [rows] [columns] [iterations]

#include "speckle_columns.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 512;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void statistics(const float *j, int n, double *sums)
{
    __shared__ double sum[BLOCK], squares[BLOCK];
    int t = threadIdx.x;
    int e = blockIdx.x * blockDim.x + t;
    sum[t] = e < n ? j[e] : 0.0;
    squares[t] = e < n ? j[e] * j[e] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            sum[t] += sum[t + half];
            squares[t] += squares[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(&sums[0], sum[0]);
        atomicAdd(&sums[1], squares[0]);
    }
}

__global__ void coefficients(int rows, int n, const int *north, const int *south, const int *west,
                             const int *east, float q0, const float *j, float *dn, float *ds,
                             float *dw, float *de, float *c)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    int row = e % rows;
    int col = e / rows;
    if (e >= n)
        return;

    float here = j[e];
    float n_diff = j[north[row] + rows * col] - here;
    float s_diff = j[south[row] + rows * col] - here;
    float w_diff = j[row + rows * west[col]] - here;
    float e_diff = j[row + rows * east[col]] - here;

    float squared = (n_diff * n_diff + s_diff * s_diff + w_diff * w_diff + e_diff * e_diff) /
                    (here * here);
    float laplace = (n_diff + s_diff + w_diff + e_diff) / here;
    float root = 1.0f + 0.25f * laplace;
    float q = (0.5f * squared - laplace * laplace / 16.0f) / (root * root);
    float value = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
    if (value < 0.0f)
        value = 0.0f;
    else if (value > 1.0f)
        value = 1.0f;

    dn[e] = n_diff;
    ds[e] = s_diff;
    dw[e] = w_diff;
    de[e] = e_diff;
    c[e] = value;
}

__global__ void diffuse(int rows, int n, const int *south, const int *east, const float *dn,
                        const float *ds, const float *dw, const float *de, const float *c,
                        float *j)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    int row = e % rows;
    int col = e / rows;
    if (e >= n)
        return;

    float here = c[e];
    float below = c[south[row] + rows * col];
    float right = c[row + rows * east[col]];
    j[e] += 0.25f * LAMBDA * (here * (dn[e] + dw[e]) + below * ds[e] + right * de[e]);
}

static int *indices(int n, int offset)
{
    std::vector<int> index(n);
    for (int i = 0; i < n; ++i)
        index[i] = std::min(std::max(i + offset, 0), n - 1);
    int *device;
    CHECK(cudaMalloc(&device, n * sizeof(int)));
    CHECK(cudaMemcpy(device, index.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv)
{
    const Image image = make_image(argc, argv);
    const int rows = image.rows, cols = image.cols, n = rows * cols;
    const size_t bytes = n * sizeof(float);
    float *d_j, *d_c, *d_dn, *d_ds, *d_dw, *d_de;
    double *d_sums, sums[2];
    CHECK(cudaMalloc(&d_j, bytes));
    CHECK(cudaMalloc(&d_c, bytes));
    CHECK(cudaMalloc(&d_dn, bytes));
    CHECK(cudaMalloc(&d_ds, bytes));
    CHECK(cudaMalloc(&d_dw, bytes));
    CHECK(cudaMalloc(&d_de, bytes));
    CHECK(cudaMalloc(&d_sums, sizeof(sums)));
    CHECK(cudaMemcpy(d_j, image.pixel.data(), bytes, cudaMemcpyHostToDevice));
    int *d_north = indices(rows, -1), *d_south = indices(rows, 1);
    int *d_west = indices(cols, -1), *d_east = indices(cols, 1);

    const int blocks = (n + BLOCK - 1) / BLOCK;
    const Stopwatch watch;
    for (int iteration = 0; iteration < image.iterations; ++iteration) {
        CHECK(cudaMemset(d_sums, 0, sizeof(sums)));
        statistics<<<blocks, BLOCK>>>(d_j, n, d_sums);
        CHECK(cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost));
        coefficients<<<blocks, BLOCK>>>(rows, n, d_north, d_south, d_west, d_east,
                                        scale(sums[0], sums[1], n), d_j, d_dn, d_ds, d_dw, d_de,
                                        d_c);
        diffuse<<<blocks, BLOCK>>>(rows, n, d_south, d_east, d_dn, d_ds, d_dw, d_de, d_c, d_j);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> result(n);
    CHECK(cudaMemcpy(result.data(), d_j, bytes, cudaMemcpyDeviceToHost));
    for (float *each : {d_j, d_c, d_dn, d_ds, d_dw, d_de})
        CHECK(cudaFree(each));
    for (int *each : {d_north, d_south, d_west, d_east})
        CHECK(cudaFree(each));
    CHECK(cudaFree(d_sums));
    return finish(image, result, ms);
}
