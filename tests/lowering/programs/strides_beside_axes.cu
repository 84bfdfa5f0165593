// Threads share out iterations along one axis of the launch; other axes have indices of their own.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 1700, ROWS = 5;

__global__ void scale(float *y, const float *x, int n)
{
    int row = blockIdx.y;
    const float *in = x + row * n;
    const float factor = 0.5f + row;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[row * n + i] = factor * in[i];
}

__global__ void hashes(unsigned *y, const unsigned *keys, unsigned n)
{
    unsigned step = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = threadIdx.y;
    while (i < n) {
        unsigned h = i + row;
        for (int bit = 0; bit < 9; ++bit)
            if (h >> bit & 1)
                h ^= keys[bit + row * 9];
        y[row * n + i] = h;
        i += step;
    }
}

// Rows of different lengths; a row that is made of two indices; a thread's own sum over its turns.
__global__ void ragged(float *y, const int *lengths, int n)
{
    int row = blockIdx.z;
    int length = n - 3 * row;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x)
        y[row * n + i] += lengths[row] + i % 5;
}

__global__ void tiles(float *y, const float *x, int rows, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, slice = blockIdx.z;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        if (row >= rows)
            continue;
        y[(slice * rows + row) * n + i] = x[i] - row + 100 * slice;
    }
}

__global__ void counted(int *hits, const float *x, int n)
{
    int part = threadIdx.y;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (x[i] > part)
            atomicAdd(&hits[part], 1);
}

__global__ void sums(float *y, const float *x, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += x[blockIdx.y * n + i];
    y[blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Shared out along two axes; constants of a row; a column that is a stencil of the one before.
__global__ void both(float *y, const float *x, int w, int h)
{
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < h; j += gridDim.y * blockDim.y) {
        const float *in = x + j * w;
        float shift = in[0] + j;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w; i += gridDim.x * blockDim.x)
            y[j * w + i] = 2 * in[i] + shift * (blockIdx.z + 1);
    }
}

// One thread walks up what it has written itself.
__global__ void prefix(float *y, const float *x, int n)
{
    float *out = y + 1 + blockIdx.y * n;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
        out[i] = x[blockIdx.y * n + i] + 0.5f;
}

template <typename T> static T *made(int n, int step)
{
    T *values;
    cudaMallocManaged(&values, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        values[i] = T(i * step % 23);
    return values;
}

template <typename T> static void show(const T *values, int n, int step)
{
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i += step)
        std::printf("%g ", (double)values[i]);
    std::printf("\n");
}

int main()
{
    float *x = made<float>(2 * ROWS * N, 7), *y = made<float>(2 * ROWS * N, 1);
    scale<<<dim3(3, ROWS), 32>>>(y, x, N);
    show(y, ROWS * N, 101);
    scale<<<dim3(3, ROWS), 32>>>(y, x, 0);
    unsigned *keys = made<unsigned>(100, 5), *found = made<unsigned>(4 * N, 1);
    hashes<<<4, dim3(16, 4)>>>(found, keys, N);
    show(found, 4 * N, 67);
    int *lengths = made<int>(ROWS, 3), *hits = made<int>(4, 0);
    ragged<<<dim3(2, 1, ROWS), 64>>>(y, lengths, N);
    show(y, ROWS * N, 103);
    tiles<<<dim3(2, 3, 2), dim3(32, 2)>>>(y, x, ROWS, N);
    show(y, 2 * ROWS * N, 207);
    counted<<<2, dim3(32, 4)>>>(hits, x, N);
    show(hits, 4, 1);
    both<<<dim3(2, 3), dim3(16, 2)>>>(y, x, 70, 40);
    show(y, 70 * 40, 53);
    prefix<<<dim3(1, 2), 1>>>(y, y, 40);
    show(y, 80, 1);
    sums<<<dim3(2, ROWS), 16>>>(y, x, N);
    show(y, 2 * ROWS * 16, 3);
    return 0;
}
