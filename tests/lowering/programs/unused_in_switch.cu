// What nobody reads goes, also behind a label.
#include <cstdio>
__global__ void k(const double *x, double *y)
{
    int t = threadIdx.x;
    __shared__ double s[8];
    s[t] = 0.1f * t;
    double w = 1;
    switch (t % 3) {
    case 0: w = 3; break;
    default: {
            { double v = x[t]; w -= 0.3; }
            s[t] = 0.5 * x[t] * 0.7;
        }
    }
    y[t] += w;
}
int main()
{
    double *x, *y;
    cudaMallocManaged(&x, 64);
    cudaMallocManaged(&y, 64);
    for (int i = 0; i < 8; ++i)
        x[i] = i, y[i] = 2 * i;
    k<<<1, 8>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        printf("%g\n", y[i]);
}
