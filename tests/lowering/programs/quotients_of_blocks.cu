// Blocks that are told apart by quotients: rows and columns of tiles in one index.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int TILE = 8;

// As many tiles in a row as the host says; sums of a type that is open.
template <typename T>
__global__ void convolve(T *y, const T *x, const T *w, int rows, int cols, int tiles,
                         int size)
{
    int r = blockIdx.x / tiles * TILE + threadIdx.y;
    int c = blockIdx.x % tiles * TILE + threadIdx.x;
    if (r < rows && c < cols) {
        T sum = 0;
        for (int p = 0; p < size; ++p)
            for (int q = 0; q < size; ++q)
                sum += x[(r + p) * (cols + size) + c + q] * w[p * size + q];
        y[r * cols + c] = sum;
    }
}

// With signs: the row may be below zero.
__global__ void signed_tiles(float *y, const float *x, int rows, int cols, int tiles)
{
    int b = blockIdx.x;
    int r = b / tiles * TILE + (int)threadIdx.y - 3;
    int c = b % tiles * TILE + (int)threadIdx.x - 2;
    if (r >= 0 && r < rows && c >= 0 && c < cols)
        y[r * cols + c] = 2 * x[r * cols + c];
}

// Nobody divides where no thread comes to it.
__global__ void guarded(int *y, int n, int m, int parts)
{
    int t = threadIdx.x;
    if (t < n) {
        int first = m / parts;
        if (first + t < m)
            y[first + t] = t;
    }
}

// A position that starts as one that stays.
__global__ void stepped(float *y, const float *x, int n, int layers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    float carried = x[at];
    for (int k = 1; k < layers; ++k) {
        at += n;
        carried = 0.5f * carried + x[at];
        y[at] = carried;
    }
    for (int k = layers - 2; k >= 0; --k) {
        at -= n;
        y[at] = carried - 0.25f * x[at];
    }
}

// Conditions that only decide which number it is; not a number is not less than any.
__global__ void decided(float *y, int *z, const float *x, const int *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[k[i]] / x[i];
    int kind = 0;
    if (v < 0.0f)
        v = 0.0f;
    else if (v > 1.0f) {
        v = 1.0f;
        kind = 2;
    } else
        kind = 1;
    if (k[i] > 4)
        kind += 10;
    y[i] = kind > 10 ? v : -v;
    z[i] = v == v ? kind : -1;
}

template <typename T> static T *made(int n, int step)
{
    T *values;
    cudaMallocManaged(&values, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        values[i] = T(i * step % 23 - 7);
    return values;
}

template <typename T> static void convolution(int rows, int cols)
{
    const int size = 5;
    int tiles = (cols + TILE - 1) / TILE, all = tiles * ((rows + TILE - 1) / TILE);
    T *x = made<T>((rows + size) * (cols + size), 5), *w = made<T>(size * size, 3);
    T *y = made<T>(rows * cols, 1);
    convolve<T><<<all, dim3(TILE, TILE)>>>(y, x, w, rows, cols, tiles, size);
    cudaDeviceSynchronize();
    for (int i = 0; i < rows * cols; i += 7)
        std::printf("%g ", (double)y[i]);
    std::printf("\n");
}

int main()
{
    convolution<float>(19, 21);
    convolution<int>(8, 33);
    convolution<double>(1, 1);

    const int n = 37, layers = 6;
    float *x = made<float>(n * layers, 7), *y = made<float>(n * layers, 1);
    signed_tiles<<<12, dim3(TILE, TILE)>>>(y, x, 13, 17, 4);
    int *k = made<int>(n, 1), *z = made<int>(n, 2);
    guarded<<<1, 16>>>(z, 0, 9, 0);
    guarded<<<1, 16>>>(z, 12, 9, 2);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
        std::printf("%g %d ", y[i], z[i]);
        k[i] = (i * 11 + 4) % n;
    }
    std::printf("\n");

    stepped<<<3, 16>>>(y, x, n, layers);
    cudaDeviceSynchronize();
    for (int i = 0; i < n * layers; ++i)
        std::printf("%g ", y[i]);
    std::printf("\n");

    x[3] = 0.0f;
    x[k[3]] = 0.0f;
    decided<<<2, 32>>>(y, z, x, k, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        std::printf("%g %d ", y[i], z[i]);
    std::printf("\n");
    return 0;
}
