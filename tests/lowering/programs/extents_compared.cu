// Extents of a launch against indices and signed numbers: as unsigned numbers, without a warning.
#include <cstdio>

__global__ void compare(int *marks, int n, int less) {
    int t = threadIdx.x;
    int mark = 0;
    if (blockIdx.x == gridDim.x - 1)
        mark += 1;
    if (threadIdx.x < blockDim.x - 1)
        mark += 2;
    if (threadIdx.x + 1 < blockDim.x)
        mark += 4;
    if (t != blockDim.x / 2)
        mark += 8;
    if (less < gridDim.x)  // -1 is a large number here
        mark += 16;
    if (t < gridDim.x - 4)  // and so is 3 - 4
        mark += 32;
    if (blockDim.x - 40 > t)
        mark += 64;
    marks[blockIdx.x * blockDim.x + t] = mark + 128 * n;
    for (int i = t; i < gridDim.x; i += blockDim.x)
        atomicAdd(&marks[96 + i], i + 1);
}

int main() {
    int *marks;
    cudaMallocManaged(&marks, 99 * sizeof(int));
    for (int i = 96; i < 99; ++i)
        marks[i] = 0;
    compare<<<3, 32>>>(marks, 1, -1);
    cudaDeviceSynchronize();
    for (int i = 0; i < 99; ++i)
        printf("%d%c", marks[i], i % 16 == 15 ? '\n' : ' ');
    cudaFree(marks);
    return 0;
}
