// The number of threads is an operation, which stays one where it is a factor.
#include <cstdio>

#define ITEMS 65

__global__ void copy_pairs(const int *in, int *out)
{
    __shared__ int pairs[ITEMS + 1];
    int t = threadIdx.x;
    if (t == 0)
        pairs[ITEMS - 1] = 5;
    __syncthreads();
    pairs[2 * t] = in[2 * t];
    pairs[2 * t + 1] = in[2 * t + 1];
    __syncthreads();
    out[2 * t] = pairs[2 * t];
    out[2 * t + 1] = pairs[2 * t + 1] + pairs[ITEMS - 1];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, ITEMS * sizeof(int));
    cudaMallocManaged(&out, ITEMS * sizeof(int));
    for (int i = 0; i < ITEMS; ++i) {
        in[i] = i * i % 17;
        out[i] = -1;
    }
    copy_pairs<<<1, ITEMS / 2>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < ITEMS; ++i)
        printf("%d\n", out[i]);
    return 0;
}
