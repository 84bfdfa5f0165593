// out: 32 165
// Operators of half are declared: sums of template types are still sums of each thread.
#include <cstdio>
#include <cuda_fp16.h>

template <typename T> __global__ void add_up(const T *a, T *d, int n)
{
    T sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (i % 2 == 0)
            sum += a[i];
        else
            sum -= T(2) * a[i];
    }
    int count = __syncthreads_count(sum > 0);
    if (threadIdx.x == 0)
        d[0] = count;
    if (threadIdx.x == 33)
        d[1] = -sum - a[n - 2];
}

int main()
{
    int *a, *d;
    cudaMallocManaged(&a, 100 * sizeof(int));
    cudaMallocManaged(&d, 2 * sizeof(int));
    for (int i = 0; i < 100; ++i)
        a[i] = i + 1;
    add_up<<<1, 64>>>(a, d, 100);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", d[0], d[1]);
    cudaFree(a);
    cudaFree(d);
    return 0;
}
