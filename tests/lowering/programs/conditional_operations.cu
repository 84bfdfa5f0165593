// Operations between threads, and calls with such, inside of expressions and in the heads of loops.
#include <cstdio>
#define N 64

__device__ int total_of(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < N; ++i)
        sum += s[i];
    __syncthreads();
    return sum;
}

__device__ void largest(int *x, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = *x;
    for (n /= 2, __syncthreads(); n > 0; n /= 2, __syncthreads())
        if (t < n)
            s[t] = max(s[t], s[t + n]);
    if (t == 0)
        *x = s[0];
}

__global__ void k(int *out, const int *x, int n, bool whole)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int v = x[t];
    whole ? __syncthreads() : __syncwarp();
    int steps = 0;
    while (n > 3 && total_of(s, v) < 3000) {
        v += n;
        ++steps;
    }
    int agreed = 0;
    for (int i = 0; i < 40; ++i) {
        if (i < 5 || __all_sync(0xffffffff, v * i % 7 < 6))
            agreed += i;
        else
            agreed += 100;
        if (i > 7 && __any_sync(0xffffffff, v % 11 == i))
            agreed += 1000;
    }
    int chosen = whole ? total_of(s, t) : v;
    int most = v;
    largest(&most, N);
    int later = n > 3 && total_of(s, most) > 1 ? 5 : 6;
    int *mine = out + 5 * t;
    mine[0] = steps;
    mine[1] = agreed;
    mine[2] = chosen;
    mine[3] = most;
    mine[4] = later;
}

template <bool WHOLE> __device__ void meet()
{
    WHOLE ? __syncthreads() : __syncwarp();
}

// Barriers as operands of ?:, as macros write them.
__global__ void barriers(int *out, int n)
{
    __shared__ int s[N];
    const int t = threadIdx.x;
    s[t] = out[t];
    blockDim.x > 32 ? __syncthreads() : __syncwarp();
    int sum = s[N - 1 - t];
    (void)(n > 0 ? __syncthreads() : __syncwarp());
    s[t] = sum + 1;
    meet<(N > 32)>();
    sum += s[(t + 40) % N];
    if (n > 1)
        (n > 2) ? __syncthreads() : (void)0;
    out[t] = sum;
}

int main()
{
    int *out, *x, host[5 * N];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&x, sizeof host);
    for (int i = 0; i < N; ++i)
        host[i] = i * 7 % 31;
    cudaMemcpy(x, host, N * sizeof(int), cudaMemcpyHostToDevice);
    for (int round = 0; round < 2; ++round) {
        k<<<1, N>>>(out, x, 3 + round, round == 0);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 5 * N; ++i)
            printf("%d\n", host[i]);
    }
    barriers<<<1, N>>>(out, 3);
    cudaMemcpy(host, out, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i)
        printf("%d\n", host[i]);
}
