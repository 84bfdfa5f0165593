// Declarations that all threads of a loop share: in front of the loop, and as they are where that
// would be another value, or might fail.
#include <cstdio>
#include <cuda_runtime.h>

// No thread may run, and the divisor may be 0 then.
__global__ void divided(int *out, const int *in, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int share = n / by;
        int first = in[share];
        out[i] = in[i] * share + first;
    }
}

// Launches without blocks are errors that programs survive: nothing is read then.
__global__ void per_block(int *out, const int *scale, const int *by)
{
    int factor = scale[0];
    int share = 100 / by[0];
    out[blockIdx.x] = factor * blockIdx.x + share;
}

// What is read is stored by a thread of the same loop, which alone reads it again.
__global__ void own_store(int *a, int n)
{
    int i = threadIdx.x;
    int row = blockIdx.x * n;
    int before = a[row];
    __syncthreads();
    if (i < n)
        a[row + i] = before + i;
    __syncthreads();
    int after = a[row];
    __syncthreads();
    if (i < n)
        a[row + i] += after;
}

// The same name and value twice in one scope, and inside of other loops with indices of this name.
__global__ void again(int *out, int w, int h)
{
    __shared__ int tile[8][8];
    int x = blockIdx.x * 8 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    int edge = threadIdx.y + 1;
    tile[threadIdx.y][threadIdx.x] = x < w && y < h ? x * edge : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int edge = threadIdx.y + 2;
        tile[threadIdx.y][0] += edge;
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; ++k) {
        int edge = threadIdx.y + 1;
        sum += tile[threadIdx.y][k] * edge;
        edge += k;
        sum += edge;
    }
    if (x < w && y < h)
        out[y * w + x] = sum + edge;
}

int main(int argc, char **)
{
    per_block<<<argc - 1, 1>>>(nullptr, nullptr, nullptr);
    const int n = 40;
    int *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 256; ++i) {
        in[i] = 3 * i % 17;
        out[i] = 0;
    }
    divided<<<2, 32>>>(out, in, n, 4);
    divided<<<2, 32>>>(out, in, 0, 0);
    cudaDeviceSynchronize();
    per_block<<<4, 1>>>(out, in + 1, in + 2);
    cudaDeviceSynchronize();
    own_store<<<4, 64>>>(in, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4 * n; i += 7)
        printf("%d ", in[i] + out[i % n]);
    printf("\n");
    again<<<dim3(2, 2), dim3(8, 8)>>>(out, 13, 11);
    cudaDeviceSynchronize();
    long total = 0;
    for (int i = 0; i < 13 * 11; ++i)
        total = total * 7 % 1000003 + out[i];
    printf("%ld\n", total);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
