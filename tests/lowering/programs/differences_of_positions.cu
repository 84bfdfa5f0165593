// Differences of unsigned positions, and quotients and products with negative numbers.
#include <cstdio>
#include <cstdlib>
template <int SHIFT> __global__ void shifted(int *y) {
    if (threadIdx.x + SHIFT < blockDim.x)
        y[threadIdx.x] += 64;
}
__global__ void k(double *y, long long *z, int *w, int less) {
    int t = threadIdx.x;
    double d;
    d = threadIdx.x - 1;
    y[t] = d + 0.5 * (threadIdx.x - 2);
    int m = t - 3;
    double e = m + blockDim.x;
    y[t] += e;
    e = (t - 40) * blockDim.x;
    y[t] += 2 * e;
    long long s = m * blockDim.x;
    s += threadIdx.x - 5;
    z[t] = s + (long long)(less * blockDim.x) + (size_t)(threadIdx.x - 7);
    w[t] = m % blockDim.x + (m / blockDim.x) + (m >> 1) + ((m + blockDim.x) >> 2) +
           (t - 5) % blockDim.x;
    w[t] ^= ((m + blockDim.x) % 7) + (less < gridDim.x) + 2 * (less < threadIdx.x);
    w[t] += 8 * (threadIdx.x < less) + (m + 5) / (less * blockDim.x + 1);
    w[t] += min(less, blockDim.x) + max(m, threadIdx.x);
    unsigned i = threadIdx.x;
    if (m < i)
        w[t] += 1000;
    if (less == i - 1)
        w[t] += 2000;
    if (abs(m) < threadIdx.x)
        w[t] += 4000;
    for (int j = 10; j >= 0; --j)
        if (j < threadIdx.x)
            w[t] += 10000;
    for (int j = 10; j >= -1; --j)
        if (threadIdx.x > j)
            w[t] += 100000;
    unsigned h = t;
    for (int r = 0; r < 5; ++r)
        h = h * 1664525u + 1013904223u;
    int g = h;
    if (g < blockDim.x)
        w[t] += 7;
    z[t] += (g % blockDim.x) * 3 + g / blockDim.x;
}
int main() {
    double *y;
    long long *z;
    int *w;
    cudaMallocManaged(&y, 32 * sizeof(double));
    cudaMallocManaged(&z, 32 * 8);
    cudaMallocManaged(&w, 32 * sizeof(int));
    for (int less = -1; less < 3; less++) {
        k<<<1, 32>>>(y, z, w, less);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; ++i)
            w[i] &= 0xfffffff;
        shifted<-1><<<1, 32>>>(w);
        shifted<1><<<1, 32>>>(w);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; ++i)
            printf("%.1f %lld %d\n", y[i], z[i], w[i]);
        printf("\n");
    }
}
