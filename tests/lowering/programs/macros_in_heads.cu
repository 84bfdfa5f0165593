// Macros with arguments between the type and the name of a kernel.
#include <cstdio>
#define LAUNCH_BOUNDS(maxThrd, minBlk)
#define BOUNDS(a, b) __launch_bounds__(a, b)
template <class real>
__global__ void
LAUNCH_BOUNDS (128, 4)
scale(real *x, real a)
{
    x[threadIdx.x] *= a;
}
__global__ void LAUNCH_BOUNDS(64, 1) shift(float *x) { x[threadIdx.x] += 1.0f; }
__global__ void BOUNDS(64, 1) shift2(float *x);
__global__ LAUNCH_BOUNDS(64, 1) void shift3(float *x) { x[threadIdx.x] += 3.0f; }
__global__ void BOUNDS(64, 1) shift2(float *x) { x[threadIdx.x] += 2.0f; }
#define TAKES const float *from, float *to
__global__ void turned(TAKES)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = from[t];
    __syncthreads();
    to[t] = s[63 - t] + from[t];
}
int main()
{
    float *x; cudaMallocManaged(&x, 512);
    for (int i = 0; i < 128; ++i) x[i] = i * i % 37;
    scale<float><<<1, 128>>>(x, 2.0f);
    shift<<<1, 64>>>(x); shift2<<<1, 64>>>(x); shift3<<<1, 64>>>(x); turned<<<1, 64>>>(x, x + 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i) printf("%g ", x[i]);
    printf("\n");
}
