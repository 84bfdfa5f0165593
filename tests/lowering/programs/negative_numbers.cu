// Numbers that may be negative, compared with positions and extents as unsigned numbers.
#include <cstdio>
#include <cstdlib>
__global__ void k(int *y, const int *lo, int n) {
    int t = threadIdx.x;
    int m = t - 3;
    if (m < threadIdx.x)
        y[t] += 1;
    if (threadIdx.x > lo[0])
        y[t] += 2;
    if (threadIdx.x < lo[t] - 1)
        y[t] += 4;
    for (int j = -2; j < threadIdx.x; ++j)
        y[t] += 8;
    for (int j = m; j <= blockIdx.x * 4 + 3; ++j)
        y[t] += 16;
    if (threadIdx.x < n)
        y[t] += 1000;
    int left = t - 1;
    if (left < blockDim.x)
        y[t] += 10000;
    if (t - 1 < blockDim.x)
        y[t] += 20000;
    if (threadIdx.x - 1 < blockDim.x)
        y[t] += 40000;
    if (left >= 0 && left < blockDim.x)
        y[t] += 100000;
    unsigned u = threadIdx.x;
    if (u - 1 < n)
        y[t] += 200000;
    if (m * 2 < u)
        y[t] += 400000;
    if (min(m, 4) < blockDim.x)
        y[t] += 1000000;
    if (m / 2 < blockDim.x)
        y[t] += 2000000;
    if ((m < 0 ? -1 : m) < blockDim.x)
        y[t] += 4000000;
    if (abs(m) < blockDim.x - 30)
        y[t] += 8000000;
    for (int j = m; j < gridDim.x; j += 2)
        y[t] += 16000000;
    int r = lo[0] < blockDim.x ? 1 : 2;
    y[t] += r * 100000000;
}
int main(int argc, char **) {
    int nb = 31 + argc;
    int *y, *lo;
    cudaMallocManaged(&y, 32 * sizeof(int));
    cudaMallocManaged(&lo, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i)
        y[i] = 0, lo[i] = i - 4;
    k<<<1, nb>>>(y, lo, 5);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d ", y[i]);
    printf("\n");
}
