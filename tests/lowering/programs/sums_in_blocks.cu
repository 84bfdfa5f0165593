// Sums over rows of their own in blocks of as many threads as go together, and of others
#include <cstdio>
__global__ void rows(const float *a, const float *x, float *y, int m)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
        sum += a[(blockIdx.x * 256 + t) * m + j] * x[j];
    part[t] = sum;
    __syncthreads();
    y[blockIdx.x * 256 + t] = part[t] + part[255 - t];
}
__global__ void odd(const float *a, const float *x, float *y, int m)
{
    __shared__ float part[132];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    float sum = part[131 - t];
    for (int j = 0; j < m; j++)
        sum -= a[(blockIdx.x * 132 + t) * m + j] * x[j];
    y[blockIdx.x * 132 + t] = sum;
}
int main()
{
    const int n = 512, m = 37;
    float *a, *x, *y;
    cudaMallocManaged(&a, n * m * sizeof(float));
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n * m; i++) a[i] = i * 37 % 101 * 0.25f;
    for (int i = 0; i < n; i++) x[i] = i * 11 % 17 * 0.5f;
    rows<<<2, 256>>>(a, x, y, m);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i += 13) printf("%g\n", y[i]);
    odd<<<3, 132>>>(a, x, y, m);
    cudaDeviceSynchronize();
    for (int i = 0; i < 396; i += 13) printf("%g\n", y[i]);
    cudaFree(a);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
