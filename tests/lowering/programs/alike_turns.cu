#include <cstdio>

// A thread that does the same for several elements: one loop over all of them.
#define THREADS 64
#define SECTION (2 * THREADS)

// The first elements of a thread and the last ones stand beside each other.
__global__ void named_pairs(const float *x, float *y, int n)
{
    __shared__ float s[SECTION];
    int base = blockIdx.x * SECTION;
    int left = 2 * threadIdx.x;
    int right = 2 * threadIdx.x + 1;
    s[left] = x[base + left]; // one for the left side
    s[right] = x[base + right]; // and one for the right
    __syncthreads();
    // Backwards.
    if (base + left < n)
        y[base + left] = s[SECTION - 1 - left];
    if (base + right < n)
        y[base + right] = s[SECTION - 1 - right];
}

// Four chunks, of a size that the launch says.
__global__ void chunks(const int *x, const int *offsets, int *y, int n)
{
    int offset = offsets[blockIdx.x];
    int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    if (i < n)
        y[i] = x[i] + offset;
    if (i + blockDim.x < n)
        y[i + blockDim.x] = x[i + blockDim.x] + offset;
    if (i + 2 * blockDim.x < n)
        y[i + 2 * blockDim.x] = x[i + 2 * blockDim.x] + offset;
    if (i + 3 * blockDim.x < n)
        y[i + 3 * blockDim.x] = x[i + 3 * blockDim.x] + offset;
}

// Rows of a tile: the loop over rows becomes longer, not the one over columns.
__global__ void rows(const float *x, float *y, int width)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = x[ty * width + tx];
    tile[ty + 16][tx] = x[(ty + 16) * width + tx];
    __syncthreads();
    y[ty * width + tx] = tile[tx][ty];
    y[(ty + 16) * width + tx] = tile[tx][ty + 16];
}

// Elements of a thread that depend on each other stay in order, without vectors.
__global__ void carried(int *x, const int *place, int *count)
{
    __shared__ int s[3 * THREADS];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    s[t + THREADS] = s[t] + 1;
    s[t + 2 * THREADS] = s[t + THREADS] + 1;
    __syncthreads();
    count[place[2 * t]] = s[2 * t];
    count[place[2 * t + 1]] = s[2 * t + 1];
    x[t] = s[t + THREADS] + s[t + 2 * THREADS];
}

// Nearly alike: the second one skips an element, multiplies, goes down, or adds to a register.
__global__ void unlike(const int *x, int *y)
{
    __shared__ int s[4 * THREADS];
    int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 2];
    s[t + 2 * THREADS] = x[t] * 2;
    s[t + 3 * THREADS] = x[t + THREADS] * 3;
    __syncthreads();
    y[t] = s[t];
    y[t + THREADS] = s[2 * THREADS - t];
    int sum = 0;
    sum += s[2 * t];
    sum += s[2 * t + 1];
    y[t + 2 * THREADS] = sum;
}

// Positions counted without a sign, from a pointer into the middle.
__global__ void unsigned_pairs(const float *x, float *y, unsigned n)
{
    const float *from = x + 2 * blockIdx.x * blockDim.x;
    unsigned first = 2 * blockIdx.x * blockDim.x + threadIdx.x * 2;
    if (first < n)
        y[first] = from[2 * threadIdx.x] * 0.5f;
    if (first + 1 < n)
        y[first + 1] = from[2 * threadIdx.x + 1] * 0.5f;
}

static unsigned hash(const void *memory, int n)
{
    const unsigned *values = static_cast<const unsigned *>(memory);
    unsigned found = 17;
    for (int i = 0; i < n; ++i)
        found = found * 31 + values[i];
    return found;
}

int main()
{
    const int most = 2048;
    float *x, *y;
    int *p, *q, *r;
    cudaMallocManaged(&x, most * sizeof(float));
    cudaMallocManaged(&y, most * sizeof(float));
    cudaMallocManaged(&p, most * sizeof(int));
    cudaMallocManaged(&q, most * sizeof(int));
    cudaMallocManaged(&r, most * sizeof(int));
    for (int n : {0, 1, 127, 128, 130, 500, 1023, 1024}) {
        const int threads = n % 2 ? 32 : 64;
        for (int i = 0; i < most; ++i) {
            x[i] = float((i * 7919) % 1009);
            y[i] = -1.0f;
            p[i] = (i * 104729) % 997;
            q[i] = i % 2 ? (i - 1) % 200 : i % 200; // both elements of a thread go to one place
            r[i] = -1;
        }
        named_pairs<<<8, THREADS>>>(x, y, n);
        cudaDeviceSynchronize();
        printf("%d: pairs %08x", n, hash(y, most));
        chunks<<<8, threads>>>(p, q, r, n);
        cudaDeviceSynchronize();
        printf(" chunks %08x", hash(r, most));
        rows<<<1, dim3(32, 16)>>>(x, y, 32);
        cudaDeviceSynchronize();
        printf(" rows %08x", hash(y, most));
        carried<<<1, THREADS>>>(p, q, r);
        cudaDeviceSynchronize();
        printf(" carried %08x %08x", hash(p, most), hash(r, most));
        unlike<<<1, THREADS>>>(p, r);
        cudaDeviceSynchronize();
        printf(" unlike %08x", hash(r, most));
        unsigned_pairs<<<8, 48>>>(x, y, unsigned(n));
        cudaDeviceSynchronize();
        printf(" unsigned %08x\n", hash(y, most));
    }
    return 0;
}
