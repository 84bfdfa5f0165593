// Tiles of shared memory: those that only repeat what an array holds, and those that do more.

#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

constexpr int WIDE = 16, HIGH = 4, EDGE = 2;

// Walls of height 0: each side of the tile is loaded by the threads next to it.
__global__ void waves(const float *now, float *next, int width, int height)
{
    __shared__ float tile[HIGH + 2][WIDE + 2];
    const int x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y;
    const int column = threadIdx.x + 1, row = threadIdx.y + 1;
    if (x < width && y < height) {
        const int place = y * width + x;
        tile[row][column] = now[place];
        if (threadIdx.x == 0)
            tile[row][0] = x > 0 ? now[place - 1] : 0.0f;
        if (threadIdx.x == WIDE - 1 || x == width - 1)
            tile[row][column + 1] = x < width - 1 ? now[place + 1] : 0.0f;
        if (threadIdx.y == 0)
            tile[0][column] = y > 0 ? now[place - width] : 0.0f;
        if (threadIdx.y == HIGH - 1 || y == height - 1)
            tile[row + 1][column] = y < height - 1 ? now[place + width] : 0.0f;
    }
    __syncthreads();
    if (x < width && y < height)
        next[y * width + x] = tile[row][column - 1] - tile[row][column + 1] +
                              2.0f * tile[row - 1][column] - 3.0f * tile[row + 1][column];
}

// All threads load a part of a tile that is larger than they are, with unsigned indices.
__global__ void smooth(const float *in, float *out, unsigned int width, unsigned int height)
{
    __shared__ float tile[HIGH + 2 * EDGE][WIDE + 2 * EDGE];
    const unsigned int x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y;
    for (unsigned int i = threadIdx.y; i < HIGH + 2 * EDGE; i += blockDim.y)
        for (unsigned int j = threadIdx.x; j < WIDE + 2 * EDGE; j += blockDim.x)
            tile[i][j] = in[(blockIdx.y * HIGH + i) * (width + 2 * EDGE) + blockIdx.x * WIDE + j];
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i <= 2 * EDGE; ++i)
        for (int j = -EDGE; j <= EDGE; ++j)
            sum += (i + 1) * (j + 4) * tile[threadIdx.y + i][threadIdx.x + EDGE + j];
    out[y * width + x] = sum;
}

// A plane after the other: the tile is filled again in every turn.
__global__ void planes(const float *in, float *out, int width, int height, int depth)
{
    __shared__ float tile[HIGH + 2][WIDE + 2];
    const int x = blockIdx.x * WIDE + threadIdx.x + 1, y = blockIdx.y * HIGH + threadIdx.y + 1;
    const int column = threadIdx.x + 1, row = threadIdx.y + 1;
    for (int z = 0; z < depth; ++z) {
        const int place = (z * height + y) * width + x;
        tile[row][column] = in[place];
        if (threadIdx.x == 0)
            tile[row][0] = in[place - 1];
        if (threadIdx.x == WIDE - 1)
            tile[row][WIDE + 1] = in[place + 1];
        if (threadIdx.y == 0)
            tile[0][column] = in[place - width];
        if (threadIdx.y == HIGH - 1)
            tile[HIGH + 1][column] = in[place + width];
        __syncthreads();
        out[place] = tile[row][column] + 2.0f * tile[row][column - 1] -
                     tile[row][column + 1] + tile[row - 1][column] - tile[row + 1][column];
        __syncthreads();
    }
}

// The first turn alone fills the tile: what later ones find is old.
__global__ void once(const float *in, float *out, int turns)
{
    __shared__ float tile[32];
    const int t = threadIdx.x;
    for (int turn = 0; turn < turns; ++turn) {
        if (turn == 0)
            tile[t] = in[turn * 32 + t];
        __syncthreads();
        out[turn * 32 + t] = tile[31 - t];
        __syncthreads();
    }
}

// A part of the tile is set to 0 first, and filled behind that.
__global__ void zeros_first(const float *in, float *out, int n)
{
    __shared__ float tile[34];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    tile[t] = 0.0f;
    if (t < 2)
        tile[t + 32] = 0.0f;
    __syncthreads();
    if (i < n)
        tile[t + 1] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = tile[t] + 3.0f * tile[t + 1] - tile[t + 2];
}

// What nobody has stored is loaded, and not used.
__global__ void holes(const float *in, float *out, int n)
{
    __shared__ float tile[33];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (i < n)
        tile[t] = in[i];
    __syncthreads();
    const float next = tile[t + 1];
    if (t < 31 && i + 1 < n)
        out[i] = next;
}

// Neighbours exchange their places: a thread changes what others load.
__global__ void changed(const float *in, float *out)
{
    __shared__ float tile[32];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    tile[t] = in[i];
    __syncthreads();
    if (t < 16)
        tile[t] += tile[t + 16];
    __syncthreads();
    out[i] = tile[31 - t];
}

// The tile is what keeps rows apart from columns.
__global__ void turned(const float *in, float *out, int n)
{
    __shared__ float tile[8][9];
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 8 + threadIdx.y) * n + blockIdx.y * 8 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}

// Halves from two arrays; a tile of another type.
__global__ void mixed(const float *in, const float *other, double *out)
{
    __shared__ float tile[64];
    __shared__ double wide[32];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    tile[t] = in[i];
    tile[t + 32] = other[i];
    wide[t] = in[i];
    __syncthreads();
    out[i] = tile[2 * t] + 0.1 * wide[31 - t] + tile[31 - t] - tile[63 - t];
}

// Launched with the same array twice, in one block: the tile is what makes that right.
__global__ void moved(const float *in, float *out)
{
    __shared__ float tile[33];
    const int t = threadIdx.x;
    tile[t + 1] = in[t];
    if (t == 0)
        tile[0] = in[31];
    __syncthreads();
    out[t] = tile[t];
}

// The same, launched through what leads to one array in another way.
__global__ void moved_too(const float *in, float *out)
{
    __shared__ float tile[33];
    const int t = threadIdx.x;
    tile[t + 1] = in[t];
    if (t == 0)
        tile[0] = in[31];
    __syncthreads();
    out[t] = tile[t];
}

static void move(float *from, float *to) { moved_too<<<1, 32>>>(from, to); }

int main()
{
    const int width = 37, height = 11, depth = 3, n = 4096;
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i)
        host[i] = static_cast<float>((i * 37 + 11) % 101) * 0.25f;
    float *a, *b;
    double *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(double));
    cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(b, 0, n * sizeof(float));
    const auto show = [&](const char *name) {
        cudaMemcpy(host.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
        double sum = 0.0;
        for (int i = 0; i < n; ++i)
            sum += host[i] * (i % 29 + 1);
        std::printf("%s %.4f\n", name, sum);
    };

    const dim3 block(WIDE, HIGH);
    for (int turn = 0; turn < 2; ++turn) {
        waves<<<dim3(3, 3), block>>>(a, b, width, height);
        show("waves");
        float *kept = a;
        a = b;
        b = kept;
    }
    smooth<<<dim3(2, 3), block>>>(a, b, 32, 12);
    show("smooth");
    planes<<<dim3(2, 2), block>>>(a, b, 34, 10, depth);
    show("planes");
    once<<<1, 32>>>(a, b, 3);
    show("once");
    zeros_first<<<4, 32>>>(a, b, 100);
    show("zeros first");
    holes<<<4, 32>>>(a, b, 100);
    show("holes");
    changed<<<4, 32>>>(a, b);
    show("changed");
    turned<<<dim3(2, 2), dim3(8, 8)>>>(a, b, 16);
    show("turned");
    mixed<<<4, 32>>>(a, b, c);
    std::vector<double> sums(128);
    cudaMemcpy(sums.data(), c, 128 * sizeof(double), cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < 128; ++i)
        sum += sums[i] * (i % 7 + 1);
    std::printf("mixed %.4f\n", sum);
    moved<<<1, 32>>>(b, b);
    show("moved");
    float *same = b;
    move(same, b);
    move(b, a);
    show("moved too");
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
