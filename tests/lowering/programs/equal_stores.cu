// Threads that store the same value to one element do not show that their elements differ.
#include <cstdio>

__global__ void again(const int *at, const double *x, double *y) {
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t, k = at[t];
    s[t] = x[i];
    __syncthreads();
    double r = s[k];
    __syncthreads();
    s[k] = r + 1.0;
    __syncthreads();
    y[i] = s[t] * s[k];
}

// Every element of x is another thread's here: a thread that shares its element would race.
__global__ void apart(const int *at, const double *x, double *y) {
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t, k = at[t];
    s[k] = x[i];
    __syncthreads();
    s[k] = 2.0 * s[k];
    __syncthreads();
    y[i] = s[t];
}

int main() {
    int *at;
    double *x, *y;
    cudaMallocManaged(&at, 8 * sizeof(int));
    cudaMallocManaged(&x, 16 * sizeof(double));
    cudaMallocManaged(&y, 16 * sizeof(double));
    for (int i = 0; i < 16; ++i)
        x[i] = 0.5 * i;
    for (int i = 0; i < 8; ++i)
        at[i] = i / 3;
    again<<<2, 8>>>(at, x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%g ", y[i]);
    for (int i = 0; i < 8; ++i)
        at[i] = (3 * i + 1) % 8;
    apart<<<2, 8>>>(at, x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%g ", y[i]);
    printf("\n");
    return 0;
}
