#include <cstdio>
#include <cuda_runtime.h>
// a block for every row, which its threads share out
__global__ void scaled(int *a, const int *factor, size_t rows, size_t cols) {
    for (size_t r = blockIdx.x; r < rows; r += gridDim.x) {
        // the same for all threads
        const int f = factor[r];
        int *row = a + r * cols;
        for (size_t c = threadIdx.x; c < cols; c += blockDim.x)
            row[c] = row[c] * f % 1009;
    }
}
// planes of rows, and work of its own for every thread beside what is shared out
__global__ void planes(int *a, int *sums, int depth, int rows, int cols) {
    const int t = threadIdx.x;
    for (int z = blockIdx.x; z < depth; z += gridDim.x)
        for (int y = 0; y < rows; ++y) {
            atomicAdd(&sums[y], t % 3);
            for (int x = t; x < cols; x += blockDim.x) {
                if (x % 5 == 1)
                    continue;
                a[(z * rows + y) * cols + x] += z + x;
            }
        }
}
__global__ void tiles(int *a, int rows, int cols, int steps) {
    for (int s = 1; s < steps; s *= 2)
        for (int y = threadIdx.y; y < rows; y += blockDim.y)
            for (int x = threadIdx.x; x < cols; x += blockDim.x)
                a[y * cols + x] = (a[y * cols + x] * 2 + s) % 1009;
}
// a sum of each thread, a turn that some leave, an end that depends on the thread: as they were
__global__ void own(int *a, const int *b, int rows, int cols) {
    int sum = 0;
    for (int r = 0; r < rows; ++r)
        for (int c = threadIdx.x; c < cols; c += blockDim.x)
            sum += b[r * cols + c];
    a[threadIdx.x] = sum;
}
__global__ void leaving(int *a, const int *b, int rows, int cols) {
    for (int r = 0; r < rows; ++r) {
        if (b[threadIdx.x] % 7 == r)
            break;
        for (int c = threadIdx.x; c < cols; c += blockDim.x)
            a[r * cols + c] += 1;
    }
}
__global__ void ragged(int *a, const int *b, int cols) {
    for (int r = 0; r < b[threadIdx.x] % 4; ++r)
        for (int c = threadIdx.x; c < cols; c += blockDim.x)
            a[r * cols + c] += 2;
}
int main() {
    const int rows = 12, cols = 150, cells = rows * cols;
    int *a, *b;
    cudaMallocManaged(&a, cells * sizeof(int));
    cudaMallocManaged(&b, cells * sizeof(int));
    for (int i = 0; i < cells; ++i)
        a[i] = i * 7 % 23, b[i] = i * 5 % 31;
    scaled<<<5, 64>>>(a, b, rows, cols);
    planes<<<2, 32>>>(a, b, 3, 4, cols);
    tiles<<<1, dim3(16, 4)>>>(a, rows, cols, 20);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < cells; ++i)
        sum = (sum * 31 + a[i] + b[i]) % 1000003;
    own<<<1, 64>>>(a, b, rows, cols);
    leaving<<<1, 64>>>(a + 64, b, rows - 1, cols);
    ragged<<<1, 64>>>(a + 64, b, cols);
    cudaDeviceSynchronize();
    for (int i = 0; i < cells; ++i)
        sum = (sum * 31 + a[i]) % 1000003;
    std::printf("%lld\n", sum);
}
