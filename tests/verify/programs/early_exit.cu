// Threads that return before a barrier count as arrived.
#include <cstdio>

__global__ void k(int *x, int n) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = 1;
    if (i >= n)
        return;
    s[threadIdx.x] = i;
    __syncthreads();
    int left = threadIdx.x ? s[threadIdx.x - 1] : -1;
    int many = __syncthreads_count(i % 3 == 0);
    int all = __syncthreads_and(i >= 0), any = __syncthreads_or(i == 70);
    x[i] = left * 1000 + many * 10 + all * 2 + any;
}

int main() {
    int *x;
    cudaMallocManaged(&x, 100 * sizeof(int));
    k<<<dim3(2), dim3(64)>>>(x, 75);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", x[0], x[1], x[64], x[74]);
}
// output: -778 222 -967 73033
