// A lambda that captures by reference is made again behind each barrier.
#include <cstdio>
#define N 32

struct Seed {
    int place, width;
};

__device__ void grow(int *x, int &width, int by) { width = width + by; x[0] = width; }

__global__ void k(int *out, const Seed *__restrict__ seeds, const int *__restrict__ x, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int total = 0;
    const int *__restrict__ mine = x + t;
    auto add = [&](int v) {
        if (v > 2)
            total += v * mine[0];
    };
    s[t] = x[t];
    add(t);
    __syncthreads();
    add(s[N - 1 - t]);
    Seed seed(seeds[blockIdx.x]);
    int width = 0;
    grow(out + N + blockIdx.x, width, seed.width);
    while (width < n) {
        __syncthreads();
        add(width);
        for (int i = 0; i < width; ++i) {
            if (s[i % N] % 5 == 4)
                break;
            total += i;
        }
        grow(out + N + blockIdx.x, width, seed.width);
        if (width > 20) {
            __syncthreads();
            s[t] += width;
        }
        seeds += 0;
    }
    mine += 0;
    out[t] = total + mine[0] + s[t];
}

int main()
{
    int *out, *x, host[N + 1];
    Seed *seeds, given[1] = {{2, 3}};
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&seeds, sizeof given);
    for (int i = 0; i <= N; ++i)
        host[i] = i * 7 % 11;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(seeds, given, sizeof given, cudaMemcpyHostToDevice);
    k<<<1, N>>>(out, seeds, x, 30);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i <= N; ++i)
        printf("%d\n", host[i]);
}
