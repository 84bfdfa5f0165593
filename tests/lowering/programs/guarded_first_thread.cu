// Threads beyond the end return: intervals of the others have no declarations that they do not
// read, comments stay with those that do, and what only the first thread does is done once.

#include <cstdio>

__global__ void neighbours(int *in, int *out, unsigned int n)
{
    // the place in the whole
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int *own = in + blockIdx.x * blockDim.x;
    if (idx >= n)
        return;
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if ((tid % (2 * stride)) == 0)
            own[tid] += own[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = own[0];
}

int main()
{
    const int n = 320;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    for (int i = 0; i < n; i++)
        in[i] = i * 7919 % 1000;
    for (int i = 0; i < 4; i++)
        out[i] = -1;
    neighbours<<<4, 64>>>(in, out, 192);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        printf("%d\n", out[i]);
    cudaFree(in);
    cudaFree(out);
}
