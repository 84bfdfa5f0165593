// Kernels of one block, which needs no loop over blocks: all threads leave together, on the way.
#include <cstdio>

__global__ void leave(int *g, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    if (n == 3)
        return;
    g[t] = s[63 - t];
    __syncthreads();
    if (t > 50)
        return;
    g[t] += s[t];
}

__global__ void leave_loop(int *g, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        int next = s[(t + 1) % 64];
        __syncthreads();
        s[t] += next;
        __syncthreads();
        if (i == 2)
            continue;
        if (i == 4)
            return;
        s[t] += 1;
        __syncthreads();
    }
    g[t] = s[t] + s[63 - t];
}

__global__ void leave_switch(int *g, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = g[t];
    __syncthreads();
    switch (n) {
    case 3:
        return;
    case 4:
        s[t] = 7;
        break;
    default:
        s[63 - t] = 9;
    }
    __syncthreads();
    g[t] += s[(t + 1) % 64];
}

int main()
{
    int *g;
    cudaMallocManaged(&g, 64 * sizeof *g);
    for (int i = 0; i < 64; ++i)
        g[i] = i;
    for (int n = 2; n < 7; ++n) {
        leave<<<1, 64>>>(g, n);
        leave_loop<<<1, 64>>>(g, n);
        leave_switch<<<1, 64>>>(g, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i) {
            printf("%d ", g[i]);
            g[i] %= 1000;
        }
    }
    printf("\n");
}
