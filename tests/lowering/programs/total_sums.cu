#include <climits>
#include <cstdio>

// Trees that add up integers, of which only the total is used, are sums.
#define N 128

__global__ void halves(const int *in, int *out, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x, i = blockIdx.x * N + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    // Half of the threads add, then a quarter ...
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// Neighbours first, as unsigned numbers; all threads use the total.
__global__ void neighbours(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[2 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + N] = in[t + N];
    for (int d = 1; d < 2 * N; d *= 2) {
        __syncthreads();
        if (t % d == 0)
            s[2 * t] += s[2 * t + d];
    }
    __syncthreads();
    out[t] = in[t] * s[0];
}

// Step by step, and only the first half of the array.
__global__ void unrolled(const int *in, int *out)
{
    __shared__ int s[2 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) s[t] += s[t + 32];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, s[0]);
}

// Other elements are used as well.
__global__ void parts(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    out[t] = s[t];
}

// Some elements count twice.
__global__ void twice(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        s[0] += s[1];
    __syncthreads();
    if (t == 0)
        out[0] = s[0];
}

// Real numbers keep the order of the source.
__global__ void reals(const float *in, float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

// The other elements have a second name.
__global__ void named_twice(const int *in, int *out)
{
    __shared__ int s[N];
    int *also = s;
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    out[t] = s[0] + also[t];
}

// Where one of them is has been written down.
__global__ void noted(const int *in, int *out)
{
    __shared__ int s[N];
    __shared__ int *second;
    int t = threadIdx.x;
    if (t == 0)
        second = &s[1];
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    out[t] = s[0] + *second;
}

// A reference holds one.
__global__ void referred(const int *in, int *out)
{
    __shared__ int s[N];
    const int &second = s[1];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    out[t] = s[0] + second;
}

int main()
{
    const int n = 8 * N;
    int *in, *out;
    float *x, *y;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, sizeof(float));
    for (int i = 0; i < n; ++i)
        in[i] = i % 2 ? (i * 7919) % 1009 : -((i * 104729) % 997);
    // Sums in the order of the source stay below the largest number, others may not.
    in[0] = in[1] = INT_MAX - 1000;
    in[N / 2] = in[N / 2 + 1] = INT_MIN + 1000;
    for (int i = 0; i < N; ++i)
        x[i] = float(i) / 7;
    for (int kernel = 0; kernel < 8; ++kernel) {
        cudaMemset(out, 0, n * sizeof(int));
        switch (kernel) {
        case 0: halves<<<8, N>>>(in, out, n - 50); break;
        case 1: neighbours<<<1, N>>>((const unsigned *)in, (unsigned *)out); break;
        case 2: unrolled<<<4, N>>>(in + N, out); break;
        case 3: parts<<<1, N>>>(in, out); break;
        case 4: twice<<<1, N>>>(in + 2 * N, out); break;
        case 5: named_twice<<<1, N>>>(in + 2 * N, out); break;
        case 6: noted<<<1, N>>>(in + 2 * N, out); break;
        case 7: referred<<<1, N>>>(in + 2 * N, out); break;
        }
        cudaDeviceSynchronize();
        unsigned hash = 17;
        for (int i = 0; i < n; ++i)
            hash = hash * 31 + unsigned(out[i]);
        printf("%d %d %08x\n", kernel, out[0], hash);
    }
    reals<<<1, N>>>(x, y);
    cudaDeviceSynchronize();
    printf("%.9g\n", *y);
    return 0;
}
