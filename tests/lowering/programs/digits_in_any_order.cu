// Places are found by quotients in any order: i / s / n is the row of rows, i % n the column.
#include <cstdio>

__global__ void halves(int m, int s, int n, const float *x, float *y) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= m * s * n)
        return;
    const int i = index / s / n;
    const int j = index / n % s;
    const int k = index % n;
    y[i * s * n + j * n + k] = x[2 * i * s * n + j * n + k] * 2 + x[2 * i * s * n + (j + s) * n + k];
}

__global__ void turned(int rows, int cols, const int *x, int *y) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < rows * cols)
        y[index % rows * cols + index / rows] = x[index] + index / cols;
}

int main() {
    float *x, *y;
    int *a, *b;
    cudaMallocManaged(&x, 512 * sizeof(float));
    cudaMallocManaged(&y, 512 * sizeof(float));
    cudaMallocManaged(&a, 512 * sizeof(int));
    cudaMallocManaged(&b, 512 * sizeof(int));
    for (int i = 0; i < 512; ++i) {
        x[i] = i * 7 % 31;
        a[i] = i * 5 % 23;
    }
    halves<<<4, 64>>>(3, 4, 17, x, y);
    halves<<<1, 32>>>(2, 1, 16, x, y + 204);
    turned<<<2, 100>>>(12, 16, a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < 236; i += 7)
        printf("%g\n", y[i]);
    for (int i = 0; i < 192; ++i)
        printf("%d%c", b[i], i % 16 == 15 ? '\n' : ' ');
}
