// What a thread keeps in a variable before it changes, beside statements that become one loop.
#include <cstdio>

#define THREADS 64

__global__ void keep(const int *in, int *out, int *last)
{
    __shared__ int seen[THREADS];
    __shared__ int cleared[2 * THREADS];
    int t = threadIdx.x;
    int own[3] = {in[t], in[t] + 1, 4};
    for (int i = 0; i < 5; ++i) {
        seen[t] = own[i % 3];
        __syncthreads();
        const int before = own[1] + 2;
        own[1] = seen[THREADS - 1 - t] + 1;
        cleared[t] = 0;
        cleared[t + THREADS] = 0;
        out[t] += before;
        __syncthreads();
        last[t] += own[0] + own[1] + cleared[2 * THREADS - 1 - t];
    }
}

__global__ void square(const int *in, int *out, int *last)
{
    __shared__ int cleared[2 * THREADS];
    int t = threadIdx.x;
    int loaded = in[t];
    int next = loaded + 1, product = next * loaded;
    cleared[t] = 0;
    cleared[t + THREADS] = 0;
    out[t] = next * next + product;
    __syncthreads();
    last[t] = cleared[2 * THREADS - 1 - t] + in[t];
}

int main()
{
    int *in, *out, *last;
    cudaMallocManaged(&in, THREADS * sizeof(int));
    cudaMallocManaged(&out, THREADS * sizeof(int));
    cudaMallocManaged(&last, THREADS * sizeof(int));
    for (int i = 0; i < THREADS; ++i) {
        in[i] = i * i % 17;
        out[i] = last[i] = 0;
    }
    keep<<<1, THREADS>>>(in, out, last);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; ++i)
        printf("%d %d\n", out[i], last[i]);
    square<<<1, THREADS>>>(in, out, last);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; ++i)
        printf("%d %d\n", out[i], last[i]);
    return 0;
}
