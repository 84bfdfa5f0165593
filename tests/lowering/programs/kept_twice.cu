// A variable with several lives: each crosses barriers, all of them share one array.
#include <cstdio>
#define N 16

__global__ void walk(int *x, int n)
{
    __shared__ int s[40];
    int w = threadIdx.x;
    int total = 0;
    if (n > 0) {
        while (w < 40) {
            s[w] = x[w] + w;
            w = w + N;
        }
        w = threadIdx.x;
        __syncthreads();
        for (int j = 0; j < n; j++) {
            __syncthreads();
            while (w < 40) {
                total += s[39 - w];
                w = w + N;
            }
            __syncthreads();
            while (w > N) {
                w = w - N;
                s[w] += j;
            }
            w = threadIdx.x;
            __syncthreads();
        }
    }
    w = 2 * threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = total + w;
}

// Variables of inner scopes that hide a parameter, a variable of the file and one another.
__device__ int base = 5;

__global__ void hide(int *x, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        int j = i;
        s[t] += j;
        __syncthreads();
        {
            int j = s[(t + 1) % N] + base;
            __syncthreads();
            s[t] ^= j;
        }
        __syncthreads();
    }
    {
        int n = s[N - 1 - t], base = n % 3;
        __syncthreads();
        s[t] = n + base;
    }
    __syncthreads();
    if (n > 2) {
        __shared__ int n[N];
        n[t] = s[t];
        __syncthreads();
        s[t] = n[t ^ 1];
    }
    __syncthreads();
    x[t] = s[t ^ 1] + n + base;
}

int main()
{
    int *x, host[40];
    cudaMalloc(&x, sizeof host);
    for (int i = 0; i < 40; ++i)
        host[i] = i * i % 7;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    walk<<<1, N>>>(x, 3);
    hide<<<1, N>>>(x, 3);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 40; ++i)
        printf("%d\n", host[i]);
}
