// Loops with barriers in which every thread counts from a start of its own to
// an end of its own, and all of them make the same turns.
#include <cstdio>
#define N 64

// Start and end have the same terms of the thread.
__global__ void chunks(int T, int C, int H, const float *k, const float *v, float *y, float *z)
{
    const int b = blockIdx.x / H;
    const int h = blockIdx.x % H;
    const int i = threadIdx.x;
    __shared__ float s[N];
    float state = 0;
    for (int t = b * T * C + h * N + i, tend = (b + 1) * T * C + h * N + i; t < tend; t += C) {
        __syncthreads();
        s[i] = k[t];
        __syncthreads();
        for (int j = 0; j < N; ++j)
            state += s[j] * v[t];
        y[t] = state;
        if (t < tend - 2 * C) {
            __syncthreads();
            s[i] = k[t + 2 * C];
            __syncthreads();
            for (int j = 0; j < N; ++j)
                state += s[j];
        }
    }
    z[b * C + h * N + i] = state;
}

// Backwards, from a name to a name; the type of the elements is open.
template <typename F> __global__ void backwards(int T, int C, int H, const F *k, F *y)
{
    const int b = blockIdx.x / H;
    const int h = blockIdx.x % H;
    const int i = threadIdx.x;
    __shared__ F s[N];
    const int t_0 = b * T * C + h * N + i;
    const int t_last = t_0 + (T - 1) * C;
    for (int t = t_last; t >= t_0; t -= C) {
        const F own = k[t];
        __syncthreads();
        s[i] = own;
        __syncthreads();
        y[t] = s[(i + 1) % N] + own;
    }
}

// In a loop that all threads go through together; the end is what it is
// compared with.
__global__ void heads(int T, int C, int H, const float *k, float *y)
{
    const int b = blockIdx.x;
    const int i = threadIdx.x;
    __shared__ float s[N];
    for (int h = 0; h < H; ++h)
        for (int t = b * T * C + h * N + i; t < b * T * C + T * C + h * N + i; t += C) {
            __syncthreads();
            s[i] = k[t];
            __syncthreads();
            y[t] = s[N - 1 - i];
        }
}

// The end comes nearer.
__global__ void nearer(int T, int C, const float *k, float *y)
{
    const int i = threadIdx.x;
    __shared__ float s[N];
    int from = i;
    int tend = T * C + i;
    for (int t = from; t < tend; t += C) {
        __syncthreads();
        s[i] = k[t];
        __syncthreads();
        y[t] = s[N - 1 - i];
        if (t >= 2 * C)
            tend -= C;
    }
}

// What both are made of is another number for the end.
__global__ void moved(int T, int C, const float *k, float *y)
{
    const int i = threadIdx.x;
    __shared__ float s[N];
    int base = 2 * i;
    int t = base;
    base -= i;
    const int tend = T * C + base + i;
    for (; t < tend; t += C) {
        __syncthreads();
        s[i] = k[t];
        __syncthreads();
        y[t] = s[N - 1 - i];
    }
}

// Each thread has a distance of its own to its end: the same number of turns
// all the same.
__global__ void apart(int T, int C, const float *k, float *y)
{
    const int i = threadIdx.x;
    __shared__ float s[N];
    for (int t = i; t < T * C - C + 1 + 2 * i - i / 2; t += C) {
        __syncthreads();
        s[i] = k[t];
        __syncthreads();
        y[t] = s[N - 1 - i];
    }
}

// The start is less wide than the sum that it is given; the sum wraps around no less than it does.
__global__ void narrow(long base, int C, const float *k, float *y)
{
    const int i = threadIdx.x;
    __shared__ float s[N];
    for (int t = base + i; t < base + 3 * C + i - (1L << 32); t += C) {
        __syncthreads();
        s[i] = k[t];
        __syncthreads();
        y[t] = s[N - 1 - i];
    }
}

static void print(const float *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += y[i] * (i % 17 + 1);
    printf("%.5f\n", sum);
}

int main()
{
    const int B = 2, T = 6, H = 2, C = H * N, n = B * T * C;
    float *k, *v, *y, *z;
    cudaMallocManaged(&k, n * sizeof(float));
    cudaMallocManaged(&v, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&z, B * C * sizeof(float));
    for (int i = 0; i < n; ++i) {
        k[i] = (i * 7 % 13) * 0.125f;
        v[i] = (i * 5 % 11) * 0.25f;
        y[i] = 0;
    }
    chunks<<<B * H, N>>>(T, C, H, k, v, y, z);
    cudaDeviceSynchronize();
    print(y, n);
    print(z, B * C);
    backwards<<<B * H, N>>>(T, C, H, k, y);
    cudaDeviceSynchronize();
    print(y, n);
    heads<<<B, N>>>(T, C, H, k, y);
    cudaDeviceSynchronize();
    print(y, n);
    nearer<<<1, N>>>(T, C, k, y);
    cudaDeviceSynchronize();
    print(y, n);
    moved<<<1, N>>>(T, C, k, y);
    cudaDeviceSynchronize();
    print(y, n);
    apart<<<1, N>>>(T, C, k, y);
    cudaDeviceSynchronize();
    print(y, n);
    narrow<<<1, N>>>(1L << 32, C, k, y);
    cudaDeviceSynchronize();
    print(y, n);
    return 0;
}
