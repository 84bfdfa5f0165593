// Stores that conditions decide on: rows that all threads of a row read, places in masked stencils,
// bounds that may leave nothing, and what threads tell each other
#include <cstdio>
#include <vector>

__global__ void relax(int *d, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        int through = d[row * n + k];
        int other = d[k * n + col];
        if (through != 1000 && other != 1000) {
            int both = through + other;
            if (both < d[row * n + col])
                d[row * n + col] = both;
        }
    }
}

__global__ void masked(const int *mask, const float *u, float *v, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
        int at = j * nx + i; // the point
        if (mask[at] > 0)
            v[at] = u[at] + 0.25f * (u[at - nx] + u[at + nx] + u[at - 1] + u[at + 1] - 4 * u[at]);
        else if (u[at] < 0)
            v[at + nx * ny] = at - u[at];
    }
}

// Rows of another length than columns: there may be none, and nothing to read in front of them.
__global__ void clip(float *x, const float *limits, int rows, int cols, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < cols && j < rows) {
        if (x[first + j * cols + i] > limits[j])
            x[first + j * cols + i] = limits[j];
    }
}

// What is read in front of the stores is the same for all; what is stored is not read again.
__global__ void below(int *x, int n, int at)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int limit = x[at] - 3;
        if (i != at && x[i] > limit)
            x[i] = limit - i;
        if (i + at < n)
            x[n + i] = limit + i;
    }
}

// Whoever finds something tells the others, some of which may have looked before.
__global__ void search(const int *x, int *found, int n, int wanted)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !*found) {
        if (x[i] == wanted)
            *found = 1;
    }
}

__global__ void bytes(unsigned char *out, const unsigned char *in, int width, int height, int step,
                      float gain, bool upward)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int place = y * step + x;
    out[place] = in[upward ? place : (height - 1 - y) * step + x] * gain;
    if (y + 1 == height)
        out[place + step] = out[place];
}

// Names of the launch that mean something else, and may be zero.
__global__ void named(int *x, const int *limits, dim3 block, dim3 grid, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < (int)block.x && j < n && grid.x == 0) {
        if (x[j * 8 + i] > limits[j])
            x[j * 8 + i] = limits[j];
    }
}

int main()
{
    const int n = 37, rows = 20, cols = 31;
    int *d, *mask, *found;
    float *u, *v, *limits;
    unsigned char *in, *out;
    cudaMallocManaged(&d, 2 * n * n * sizeof(int));
    cudaMallocManaged(&mask, rows * cols * sizeof(int));
    cudaMallocManaged(&found, sizeof(int));
    cudaMallocManaged(&u, 2 * rows * cols * sizeof(float));
    cudaMallocManaged(&v, 2 * rows * cols * sizeof(float));
    cudaMallocManaged(&limits, rows * sizeof(float));
    cudaMallocManaged(&in, (rows + 1) * 40);
    cudaMallocManaged(&out, (rows + 1) * 40);
    *found = 0;
    const dim3 block(8, 8);
    for (int i = 0; i < 2 * n * n; ++i)
        d[i] = i % (n + 1) == 0 ? 0 : i % 5 ? 1000 : i * 31 % 97;
    for (int i = 0; i < 2 * rows * cols; ++i)
        u[i] = i * 7 % 23 - 5, v[i] = 0;
    for (int i = 0; i < rows * cols; ++i)
        mask[i] = i % 3;
    for (int j = 0; j < rows; ++j)
        limits[j] = j % 7;
    for (int i = 0; i < (rows + 1) * 40; ++i)
        in[i] = i * 13, out[i] = 1;

    for (int k = 0; k < n; ++k)
        relax<<<dim3((n + 7) / 8, (n + 7) / 8), block>>>(d, n, k);
    masked<<<dim3((cols + 7) / 8, (rows + 7) / 8), block>>>(mask, u, v, cols, rows);
    clip<<<dim3((cols + 7) / 8, (rows + 7) / 8), block>>>(u, limits, rows, cols, 3);
    clip<<<dim3(1, 3), block>>>(u, nullptr, 1000000, 0, 3);
    named<<<dim3(2, 2), dim3(4, 8)>>>(d, nullptr, dim3(0), dim3(0), 9);
    named<<<dim3(2, 2), dim3(4, 8)>>>(d, mask, dim3(5), dim3(0), 9);
    search<<<3, 64>>>(d, found, 2 * n, d[n]);
    search<<<1, 1>>>(d, found, 0, 0);
    bytes<<<dim3((cols + 7) / 8, (rows + 7) / 8), block>>>(out, in, cols, rows, 40, 0.5f, false);
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < n * n; ++i)
        sum += d[i] * (i % 11 + 1);
    std::printf("%ld %d\n", sum, *found);
    below<<<3, 16>>>(d, n, 5);
    cudaDeviceSynchronize();
    sum = 0;
    for (int i = 0; i < 2 * n; ++i)
        sum += d[i] * (i % 11 + 1);
    double first = 0, second = 0;
    for (int i = 0; i < 2 * rows * cols; ++i)
        first += u[i] * (i % 5 + 1), second += v[i] * (i % 9 + 1);
    long third = 0;
    for (int i = 0; i < (rows + 1) * 40; ++i)
        third += out[i] * (i % 6 + 1);
    std::printf("%ld %.3f %.3f %ld\n", sum, first, second, third);
}
