// Two names of the shared memory that a launch gives, both of the file.
#include <cstdio>
extern __shared__ double first[];
extern __shared__ float second[];
__global__ void two_names(const double *x, double *y)
{
    int t = threadIdx.x;
    first[t] = x[t];
    second[2 * blockDim.x + t] = (float)x[t];
    __syncthreads();
    int n = blockDim.x;
    y[t] = first[(t + 1) % n] * second[2 * n + (t + 3) % n];
}
int main() { double *x, *y; cudaMallocManaged(&x, 64 * 8); cudaMallocManaged(&y, 64 * 8); for (int i = 0; i < 64; ++i) x[i] = i * 0.5; two_names<<<1, 64, 64 * 12>>>(x, y); cudaDeviceSynchronize(); double s = 0; for (int i = 0; i < 64; ++i) s += y[i] * i; printf("%f\n", s); }
