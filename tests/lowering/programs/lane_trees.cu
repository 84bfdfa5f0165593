// Sums over a warp: those of which only the first lane is used, and others.
#include <cstdio>

__global__ void sums(const float *x, float *first, float *others, int rows) {
    int row = blockIdx.x * 2 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row < rows) {
        float sum = x[row * 32 + lane];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(~0u, sum, offset);
        if (lane == 0)
            first[row] = sum;
    }
    // The second lane is used as well.
    float most = x[threadIdx.x] + row;
    for (int offset = 16; offset > 0; offset >>= 1)
        most = fmaxf(most, __shfl_down_sync(~0u, most, offset));
    if (lane < 2)
        others[row * 2 + lane] = most;
}

// One sum in every turn of a loop: what the last turn has left is used by the next.
__global__ void again(const float *x, float *first) {
    int lane = threadIdx.x;
    float sum = x[lane];
    for (int k = 0; k < 3; ++k) {
        for (int offset = 16; offset > 0; offset >>= 1)
            sum += __shfl_down_sync(~0u, sum, offset);
        if (lane == 0)
            first[k] = sum;
    }
}

int main() {
    float *x, *first, *others;
    cudaMallocManaged(&x, 256 * sizeof(float));
    cudaMallocManaged(&first, 8 * sizeof(float));
    cudaMallocManaged(&others, 16 * sizeof(float));
    for (int i = 0; i < 256; ++i)
        x[i] = i * 7 % 13;
    sums<<<4, 64>>>(x, first, others, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; ++i)
        printf("%g %g %g\n", first[i], others[2 * i], others[2 * i + 1]);
    again<<<1, 32>>>(x, first);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; ++i)
        printf("%g\n", first[i]);
    cudaFree(x);
    cudaFree(first);
    cudaFree(others);
    return 0;
}
