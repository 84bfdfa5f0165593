// Arrays that threads begin with numbers are begun by those that run: others would divide by zero,
// or read behind the end.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void shares(int *out, const int *in, int n)
{
    __shared__ int s[32];
    int i = threadIdx.x;
    while (i < n) {
        int share[3] = {in[i], 840 / (n - i), 1};
        unsigned char small[2] = {(unsigned char)(in[i] % (n - i)), 7};
        s[threadIdx.x] = share[1];
        __syncthreads();
        out[i] = s[0] * share[0] + small[0];
        __syncthreads();
        out[i] += share[1] * share[2] + small[1];
        i += 32;
    }
}

int main()
{
    const int n = 40;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        in[i] = 7 * i % 23;
    shares<<<1, 32>>>(out, in, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%d ", out[i]);
    printf("\n");
    cudaFree(in);
    cudaFree(out);
    return 0;
}
