// Threads that a remainder picks: a stride apart, where the divisor is known to be above zero.
#include <cstdio>

#define N 96

__global__ void up(const int *x, int *y)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int i = 1; i < 64; i *= 2) {
        if (t % (2 * i) == 0 && t + i < N)
            s[t] += s[t + i];
        __syncthreads();
    }
    for (unsigned i = 2; i <= blockDim.x; i = i << 1) {
        if ((threadIdx.x + 1) % i == 0 && t > 3)
            s[t] = s[t] * 3 + s[t - i / 2] + 1;
        __syncthreads();
    }
    y[t] = s[t];
}

__global__ void down(const int *x, int *y)
{
    __shared__ int s[N];
    int t = threadIdx.x, i;
    s[t] = x[t];
    __syncthreads();
    for (i = blockDim.x / 2; i > 1; i >>= 1) {
        if (0 == (1 + t) % i)
            s[t] = s[t] * 2 + s[t - 1] + i;
        __syncthreads();
    }
    for (i = 24; i != 0; i /= 3) {
        if (!(t % i == 0)) // no stride
            s[t] -= s[t / i * i];
        __syncthreads();
    }
    y[t] = s[t];
}

// The divisor may be zero for threads that do not divide, or below zero.
__global__ void unknown(const int *x, int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int i = -2; i < 3; i += 3) {
        if (t % i == 0)
            s[t] += 100 * i;
        __syncthreads();
    }
    for (int i = n; i > -n; i -= 2) {
        if (i != 0 && t % (i == 0 ? 1 : i) == 0)
            s[t] += i;
        __syncthreads();
    }
    y[t] = s[t];
}

int main()
{
    int *x, *y;
    cudaMallocManaged(&x, N * sizeof(int));
    cudaMallocManaged(&y, N * sizeof(int));
    for (int i = 0; i < N; ++i)
        x[i] = i * 37 % 53;
    for (int kind = 0; kind < 3; ++kind) {
        if (kind == 0)
            up<<<1, N>>>(x, y);
        else if (kind == 1)
            down<<<1, N>>>(x, y);
        else
            unknown<<<1, N>>>(x, y, 5);
        cudaDeviceSynchronize();
        long long sum = 0;
        for (int i = 0; i < N; ++i)
            sum += (long long)y[i] * (i + 1);
        std::printf("%lld %d %d\n", sum, y[0], y[95]);
    }
}
