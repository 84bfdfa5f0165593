// Memory that the host and kernels read as different types, by casts in C's notation.
#include <cstdio>

struct Complex {
    float re, im;
};

__device__ Complex product(Complex a, Complex b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__global__ void multiply(Complex *a, const Complex *b, int n, float scale)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        Complex c = product(a[i], b[i]);
        c.re *= scale;
        c.im *= scale;
        a[i] = c;
    }
}

#define BITS(x) (*((unsigned *)((void *)(&(x)))))

__global__ void flip(float *x) { BITS(x[threadIdx.x]) ^= 0x80000000u; }

int main()
{
    const int n = 64;
    float2 *a, *b;
    cudaMallocManaged((void **)&a, n * sizeof(float2));
    cudaMallocManaged((void **)&b, n * sizeof(float2));
    for (int i = 0; i < n; ++i) {
        a[i] = make_float2(i, 1);
        b[i] = make_float2(2, i);
    }
    float2 before = a[5];
    multiply<<<1, 32>>>((Complex *)a, (Complex *)b, n, 0.5f);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", before.x, before.y, a[5].x, a[5].y);
    float *x = (float *)a;
    x[3] = 7;
    flip<<<1, n>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%g ", x[i]);
    ((unsigned *)x)[4] = 0x3f800000;
    printf("%g\n", x[4]);
}
