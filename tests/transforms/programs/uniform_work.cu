// Work that is the same for every thread is done once where that is right, else it stays.
#include <cmath>
#include <cstdio>

// A loop of the kernel itself, and what it needs.
__global__ void weights(float *__restrict__ y, const float *__restrict__ x,
                        const float *__restrict__ w, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float first = w[0];
    float sum = first;
    for (int k = 1; k < m; ++k) { // over all weights
        if (w[k] < 0)
            continue;
        sum += w[k];
    }
    float norm = sqrtf(sum);
    y[i] = x[i] / norm + first;
}

// `y` may be `w`.
__global__ void weights_may_change(float *y, const float *x, const float *w, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < m; ++k)
        sum += w[k];
    y[i] = x[i] / sum;
}

// The sum goes on from thread to thread's own value, or is seen on its way.
__global__ void of_its_own(float *__restrict__ y, const float *__restrict__ w, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = i;
    for (int k = 0; k < m; ++k)
        sum += w[k];
    float other = 0;
    y[i] = other;
    for (int k = 0; k < m; ++k)
        other += w[k];
    y[i] += other;
    float third = 0;
    for (int k = 0; k < m; ++k)
        third += w[k];
    if (y[i] > 3)
        third = 0;
    y[i] += sum + third;
}

// Only some threads read the weights: with none of them, nobody may.
__global__ void only_some(float *__restrict__ y, const float *__restrict__ w, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || y[i] > 0)
        return;
    float sum = 0;
    for (int k = 0; k < m; ++k)
        sum += w[k];
    y[i] = sum;
}

// Of numbers: out of the loop, be it reached or not; of what changes, or of memory: not.
__global__ void decay(float *y, const float *rate, float r, float dt, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && y[i] > 0) {
        float f = r;
        for (int s = 0; s < steps; ++s) {
            y[i] *= expf(-r * dt) + sqrtf(dt) + sqrtf(dt);
            y[i] += expf(-f * dt) + expf(rate[0] * dt);
            f += 1;
        }
    }
}

// By block: what depends on the block goes in front of its threads; what does not, of all blocks.
__global__ void by_block(float *y, const float *x, float r, int m)
{
    __shared__ float tile[32];
    int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    float most = 0;
    for (int k = 0; k < 32; ++k)
        most = fmaxf(most, tile[k]);
    float scale = powf(r, blockIdx.x) * powf(r, 2.0f) + cosf(0.5f); // of constants: stays
    y[blockIdx.x * 32 + t] = scale * tile[t] / most;
    __syncthreads();
    tile[t] = most + t; // not the same as before
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < m; ++k)
        sum += tile[k];
    if (t < 16)
        y[blockIdx.x * 32 + t] += sum;
}

// An element read in the loop is one that the loop writes.
__global__ void in_place(float *y, int m)
{
    __shared__ float tile[32];
    int t = threadIdx.x;
    tile[t] = y[t];
    __syncthreads();
    if (t == 3) {
        float sum = 0;
        for (int k = 0; k < m; ++k)
            sum += tile[k];
        tile[t] = sum;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < m; ++k)
        sum += tile[k];
    y[t] = sum + tile[t];
}

// A loop that only counts needs no guard.
__global__ void counted(float *y, int m)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = y[blockIdx.x * 32 + t];
    __syncthreads();
    int total = 0;
    for (int k = 0; k < m; ++k)
        total += k;
    y[blockIdx.x * 32 + t] = total + s[31 - t];
}

// Where a tile of a picture starts, that blocks are numbered along its rows: no division is done for
// each pixel. A divisor that changes, or that a condition keeps from being zero, stays.
__global__ void tiles(float *y, const float *x, int per_row, int width, int zero)
{
    int row = blockIdx.x / per_row * 4 + threadIdx.y;
    int column = blockIdx.x % per_row * 8 + threadIdx.x;
    int part = per_row;
    part += blockIdx.x;
    y[row * width + column] = x[(blockIdx.x / per_row + 1) * column] + x[threadIdx.x % part];
    if (zero != 0)
        y[row * width + column + blockIdx.x / zero] = 0;
    y[row * width + column] += zero == 0 ? threadIdx.x : threadIdx.x + gridDim.x / zero;
}

int main()
{
    const int n = 64;
    float *x, *y, *w;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, 9 * n * sizeof *y);
    cudaMallocManaged(&w, 8 * sizeof *w);
    for (int i = 0; i < n; ++i)
        x[i] = i % 7 + 1;
    for (int i = 0; i < 9 * n; ++i)
        y[i] = i % 5 - 1;
    for (int i = 0; i < 8; ++i)
        w[i] = i - 2;
    weights<<<2, 32>>>(y, x, w + 4, 60, 4);
    weights<<<2, 32>>>(y, nullptr, nullptr, 0, 4); // nobody reads
    weights_may_change<<<2, 32>>>(y + n, x, w, n, 8);
    of_its_own<<<2, 32>>>(y + 2 * n, w, n, 8);
    only_some<<<2, 32>>>(y + 3 * n, w, n, 8);
    for (int i = 0; i < n; ++i)
        x[i] = 1;
    only_some<<<2, 32>>>(x, nullptr, n, 8); // nobody does
    for (int i = 0; i < n; ++i)
        x[i] = i % 7 + 1;
    decay<<<2, 32>>>(y + 4 * n, x, 0.5f, 0.25f, n, 3);
    by_block<<<2, 32>>>(y + 5 * n, x, 0.5f, 8);
    in_place<<<1, 32>>>(y + 6 * n, 8);
    counted<<<2, 32>>>(y, 8);
    tiles<<<4, dim3(8, 4)>>>(y + 7 * n, x, 2, 16, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < 9 * n; ++i)
        printf("%.6g%c", y[i], i % 16 == 15 ? '\n' : ' ');
}
