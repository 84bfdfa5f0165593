// What the head of a switch declares hides a variable of the file and a parameter.
#include <cstdio>
constexpr int k = 1;
__global__ void f(const double *x, double *y, int k) {
    __shared__ double s[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = x[i];
    __syncthreads();
    double r = s[7 - threadIdx.x];
    switch (int k = i % 3; k) {
    case 0:
        r *= 2;
        break;
    case 1:
        r = r * r;
        break;
    default:
        r += 1;
    }
    if (int k = i % 3; k == 1)
        r *= 2;
    else
        r = r * k + k;
    __syncthreads();
    s[threadIdx.x] = r;
    __syncthreads();
    y[i] = s[7 - threadIdx.x] * k;
}
int main() {
    double *x, *y;
    cudaMallocManaged(&x, 16 * 8);
    cudaMallocManaged(&y, 16 * 8);
    for (int i = 0; i < 16; i++)
        x[i] = 1 + i % 5;
    f<<<2, 8>>>(x, y, 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; i++)
        printf("%g\n", y[i]);
}
