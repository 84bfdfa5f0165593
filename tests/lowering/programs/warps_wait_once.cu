// A loop over what is the same for all threads is done once, without the waiting of warps in it.
#include <cstdio>

__global__ void scaled(const double *x, double *y, int m) {
    __shared__ double s[8];
    int t = threadIdx.x;
    double w = 0.4;
    for (int j = 0; j < m; ++j) {
        w = w * 0.5 + m;
        double unused = __shfl_down_sync(0xff, 0.4, m, 8);
        __syncwarp();  // for nothing
    }
    s[t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    y[blockIdx.x * 8 + t] = w * s[7 - t];
}

int main() {
    double *x, *y;
    cudaMallocManaged(&x, 24 * sizeof(double));
    cudaMallocManaged(&y, 24 * sizeof(double));
    for (int i = 0; i < 24; ++i)
        x[i] = i * 0.5;
    scaled<<<3, 8>>>(x, y, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 24; ++i)
        printf("%g\n", y[i]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
