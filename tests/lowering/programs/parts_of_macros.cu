// Macros of which the translation changes one part, beside what they are given and add to it.
#include <cstdio>

#define THREADS 32
#define TWICE (kept * 2)
#define HALF_UNLESS(a, n) (a != n ? a / 2 : 0)
#define SCALED(a, n) ((a) < (n) ? (a) * 0.5f : -1.0f)
#define BELOW(a, n) (a < n)
#define PART(a, n) (BELOW(a, n) ? a / 2 : a / 3)
#define FIRST (i < n ? 7 : i)
#define WITH(x) ((x) + (i < n ? 1 : 100))
#define PLACE_OF(name) name##_row
#define AT(name, r, mode) \
    (((mode) == WRAPPED) & (((r) < 0) | ((r) >= (height))) ? 0 : PLACE_OF(name)[wrapped((r), height)])

#define PRODUCT(a, b) __mul24(a, b)
#define INSIDE(x, y) ((x) < width && (y) < height)
#define OUTSIDE (x >= width || y >= height)

#define HALF 0.5f
#define ELEMENT(p) (*p)
#define FOLDED(a) (ELEMENT(&a[0]) += twice(ELEMENT(&a[1])) * HALF)

enum Mode { WRAPPED = 2, PLAIN };

__device__ float twice(float a) { return 2 * a; }
__device__ unsigned wrapped(int r, unsigned height) { return (r < 0 ? -r : r) % (int)height; }

// A variable of each thread in the body of a macro, and nothing else that changes.
__global__ void keep(const int *in, int *out)
{
    __shared__ int last[THREADS];
    int kept = in[threadIdx.x];
    last[threadIdx.x] = in[THREADS - 1];
    __syncthreads();
    const int base = threadIdx.x >> 2;
    const int product = PRODUCT(base, THREADS);
    out[threadIdx.x] = TWICE + last[3] + product;
}

// Comparisons of the author's signed and unsigned numbers.
__global__ void compare(unsigned n, int m, int *out, float *scaled)
{
    int t = threadIdx.x, i = t - 5 + m;
    out[t] = HALF_UNLESS(i, n);
    scaled[t] = SCALED(i, n);
    out[t + 32] = PART(i, n) + FIRST;
    out[t + 64] = WITH(m) + WITH(i);
    if (HALF_UNLESS(i, n) > 3)
        out[t + 96] = 2;
    int v = HALF_UNLESS(i - 1, n + 1) + BELOW(i, n);
    out[t + 128] = v + PART(i + m, n - 2);
}

// Guards that become limits of loops, each by itself.
__global__ void guarded(int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (INSIDE(x, y))
        out[y * width + x] += 5;
}

__global__ void left(int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (OUTSIDE)
        return;
    out[y * width + x] *= 3;
}

__global__ void wrap(unsigned height, const int *in_row, int *out)
{
    __shared__ int apron[4 * THREADS];
    for (unsigned i = threadIdx.x; i < 3 * THREADS; i += THREADS) {
        const int r = (int)i - 3;
        apron[i] = AT(in, r, PLAIN);
    }
    __syncthreads();
    out[threadIdx.x] = apron[threadIdx.x] + apron[3 * THREADS - 1 - threadIdx.x];
}

// An array of each thread that a macro gives to others with more around it.
__global__ void fold(float *x)
{
    __shared__ float all[2 * THREADS];
    float own[2];
    for (int i = 0; i < 2; ++i)
        own[i] = x[threadIdx.x + i * THREADS];
    FOLDED(own);
    all[threadIdx.x] = own[0];
    all[threadIdx.x + THREADS] = own[1];
    __syncthreads();
    own[0] = all[THREADS - 1 - threadIdx.x];
    FOLDED(own);
    x[threadIdx.x] = own[0];
}

int main()
{
    const int n = 256;
    int *in, *out;
    float *scaled;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&scaled, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        in[i] = i * i % 17;
        out[i] = -1;
        scaled[i] = i % 5;
    }
    keep<<<1, THREADS>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; ++i)
        printf("%d\n", out[i]);
    compare<<<1, THREADS>>>(7, 0, out, scaled);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; ++i)
        printf("%d %d %d %d %d %f\n", out[i], out[i + 32], out[i + 64], out[i + 96], out[i + 128],
               scaled[i]);
    const dim3 blocks(3, 2), threads(8, 8);
    guarded<<<blocks, threads>>>(out, 19, 13);
    left<<<blocks, threads>>>(out, 18, 13);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%d\n", out[i]);
    wrap<<<1, THREADS>>>(100, in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; ++i)
        printf("%d\n", out[i]);
    fold<<<1, THREADS>>>(scaled);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; ++i)
        printf("%f\n", scaled[i]);
    return 0;
}
