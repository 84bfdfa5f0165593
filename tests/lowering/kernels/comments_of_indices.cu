// What is said of a variable that names a loop is said of the loop.

#include <cstdio>

__global__ void row_largest(float *out, const float *in, int n)
{
    __shared__ float largest[4];
    int row = blockIdx.x;          // one of gridDim.x
    int t = threadIdx.x;           // below 128
    int warp = threadIdx.x / 32;   // of the block
    int lane = threadIdx.x % 32;   // of the warp
    const float *x = in + row * n; // the row
    float value = -INFINITY;
    for (int i = t; i < n; i += blockDim.x)
        value = fmaxf(value, x[i]);
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_down_sync(0xffffffffu, value, offset));
    if (lane == 0)
        largest[warp] = value;
    __syncthreads();
    // The first thread goes through them.
    if (t == 0) {
        float whole = largest[0];
        for (int w = 1; w < 4; w++)
            whole = fmaxf(whole, largest[w]);
        out[row] = whole;
    }
}

int main()
{
    const int rows = 3, n = 300;
    float *in, *out;
    cudaMallocManaged(&in, rows * n * sizeof(float));
    cudaMallocManaged(&out, rows * sizeof(float));
    for (int i = 0; i < rows * n; i++)
        in[i] = i * 7919 % 1000;
    row_largest<<<rows, 128>>>(out, in, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < rows; i++)
        printf("%g\n", out[i]);
    cudaFree(in);
    cudaFree(out);
}
