// What a method refers to is read where its result is used: barriers stay, and values are kept.
#include <cstdio>

struct Window {
    double *cells;
    int first;
    __device__ double &operator()(int k) const { return cells[(first + k + 8) % 8]; }
};

__global__ void windows(const double *x, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    Window w{s, t};
    w(0) = x[i];
    __syncthreads();
    double v = w(1) * w(-1);
    __syncthreads();
    w(0) *= v;
    __syncthreads();
    y[i] = w(3) * v + w(-2);
}

int main()
{
    double *x, *y;
    cudaMallocManaged(&x, 16 * sizeof(double));
    cudaMallocManaged(&y, 16 * sizeof(double));
    for (int i = 0; i < 16; ++i)
        x[i] = 0.25 * i + 1;
    windows<<<2, 8>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%.6f\n", y[i]);
    return 0;
}
