// Blocks with more memory than the fast memory of a device takes.
#include <cstdio>

#include <cuda_runtime.h>

// 256 threads keep 24 doubles each: 48 KiB beside the tile.
__global__ void keep_rows(const double *in, double *out, int n)
{
    __shared__ double tile[16][16];
    double row[24];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + ty * 16 + tx;
    for (int k = 0; k < 24; ++k)
        row[k] = i + k < n ? in[i + k] : 0.0;
    tile[ty][tx] = row[0];
    __syncthreads();
    double sum = 0.0;
    for (int k = 0; k < 24; ++k)
        sum += row[k] * tile[tx][(ty + k) % 16];
    if (i < n)
        out[i] = sum;
}

// All that CUDA gives to a block, and one team for all of it.
__global__ void all_shared(const float *in, float *out, int n)
{
    __shared__ float all[12288];
    int t = threadIdx.x;
    for (int i = t; i < 12288; i += blockDim.x)
        all[i] = in[i % n];
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        out[i] = all[12287 - i] + all[i];
}

int main()
{
    const int n = 2000;
    double *in, *out, h_in[n], h_out[n], sum = 0.0;
    float *f_in, *f_out, h_f[n];
    for (int i = 0; i < n; ++i) {
        h_in[i] = (i * 7) % 13;
        h_f[i] = float((i * 5) % 11);
    }
    cudaMalloc(&in, sizeof h_in);
    cudaMalloc(&out, sizeof h_out);
    cudaMalloc(&f_in, sizeof h_f);
    cudaMalloc(&f_out, sizeof h_f);
    cudaMemcpy(in, h_in, sizeof h_in, cudaMemcpyHostToDevice);
    cudaMemcpy(f_in, h_f, sizeof h_f, cudaMemcpyHostToDevice);
    keep_rows<<<dim3(4, 2), dim3(16, 16)>>>(in, out, n);
    all_shared<<<1, 128>>>(f_in, f_out, n);
    cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_f, f_out, sizeof h_f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        sum += h_out[i] * (i % 5) + h_f[i] * (i % 3);
    printf("rows %.1f %.1f all %.1f %.1f sum %.1f\n", h_out[0], h_out[n - 1], h_f[0], h_f[n - 1], sum);
    cudaFree(in);
    cudaFree(out);
    cudaFree(f_in);
    cudaFree(f_out);
    return 0;
}
