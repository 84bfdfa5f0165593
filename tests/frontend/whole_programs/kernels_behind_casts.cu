// out: 3 4 5 6 7
// Kernels that the runtime launches, behind every cast that makes a plain pointer of them.
#include <cstdio>

template <class T> __global__ void add(T *x, T value) { x[threadIdx.x] += value; }
__global__ void increase(int *x, int value) { x[threadIdx.x] += value; }

int main() {
    int *x, one = 1;
    cudaMallocManaged(&x, 32 * sizeof(int));
    x[0] = 2;
    void *arguments[] = {&x, &one};
    cudaLaunchKernel((void *)&add<int>, dim3(1), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    printf("%d ", x[0]);
    cudaLaunchKernel(reinterpret_cast<void *>(&add<int>), dim3(1), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    printf("%d ", x[0]);
    cudaLaunchKernel(reinterpret_cast<const void *>(increase), dim3(1), dim3(32), arguments);
    cudaDeviceSynchronize();
    printf("%d ", x[0]);
    cudaLaunchKernel(reinterpret_cast<void *>(&increase), 1, 32, arguments, 0, nullptr);
    cudaDeviceSynchronize();
    printf("%d ", x[0]);
    cudaLaunchCooperativeKernel(reinterpret_cast<void *>(add<int>), 1, 32, arguments);
    cudaDeviceSynchronize();
    printf("%d\n", x[0]);
}
