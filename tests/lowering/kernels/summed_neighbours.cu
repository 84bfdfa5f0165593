#include <cstdio>
#include <cuda_runtime.h>
// sums over neighbours of which some do not exist
__global__ void line(const float *x, const float *taps, float *y, int n, int radius) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int j = -radius; j <= radius; ++j) {
        const int p = i + j;
        if (p >= 0 && p < n)
            sum += x[p] * taps[j + radius];
    }
    y[i] = sum;
}
__global__ void image(const double *in, const double *k, double *out, int rows, int cols, int r) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows)
        return;
    double sum = 0, weight = 1;
    for (int dy = -r; dy <= r; ++dy)
        for (int dx = -r; dx <= r; ++dx) {
            const int yy = y + dy, xx = x + dx;
            if (xx < 0 || xx >= cols || yy < 0 || yy >= rows)
                continue;
            sum += in[yy * cols + xx] * k[(dy + r) * (2 * r + 1) + dx + r];
        }
    for (int dy = -r; dy <= r; ++dy)
        for (int dx = -r; dx <= r; ++dx)
            if (y + dy >= 0 && y + dy < rows && x + dx >= 0 && x + dx < cols)
                weight += in[(y + dy) * cols + x + dx];
    out[y * cols + x] = sum / weight;
}
// in blocks of planes
__global__ void planes(const float *in, float *out, int rows, int cols, int size) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    const int plane = blockIdx.z;
    if (x < cols && y < rows) {
        float sum = 0;
        for (int s = 0; s < size; ++s) {
            int at = x - size / 2 + s;
            if (at >= 0 && at < cols)
                sum += in[(plane * rows + y) * cols + at];
        }
        out[(plane * rows + y) * cols + x] = sum;
    }
}
__global__ void edges(const float *in, float *out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows)
        return;
    float gx = 0, gy = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= 0 && x + dx < cols && y + dy >= 0 && y + dy < rows) {
                const float v = in[(y + dy) * cols + x + dx];
                gx += dx * (2 - dy * dy) * v;
                gy += dy * (2 - dx * dx) * v;
            }
    out[y * cols + x] += gx * gx + gy * gy;
}
// clamped, and of whole numbers: as they were
__global__ void clamped(const float *x, float *y, int n, int radius) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; ++j)
        sum += x[min(max(i + j, 0), n - 1)];
    y[i] += sum;
}
__global__ void counted(const int *x, float *y, int n, int radius) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int j = 0; j < radius; ++j)
        if (i + j < n)
            sum += x[i + j];
    if (i < n)
        y[i] += sum;
}
int main() {
    const int n = 300, rows = 12, cols = 45;
    float *x, *y, *z;
    double *in, *out;
    int *whole;
    cudaMallocManaged(&x, 3 * rows * cols * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&z, 3 * rows * cols * sizeof(float));
    cudaMallocManaged(&in, rows * cols * sizeof(double));
    cudaMallocManaged(&out, rows * cols * sizeof(double));
    cudaMallocManaged(&whole, n * sizeof(int));
    for (int i = 0; i < 3 * rows * cols; ++i)
        x[i] = i * 7 % 23, z[i] = 0;
    for (int i = 0; i < rows * cols; ++i)
        in[i] = i * 5 % 17, out[i] = 0;
    for (int i = 0; i < n; ++i)
        whole[i] = i % 13, y[i] = 0;
    double total = 0;
    for (int radius : {0, 1, 9, 40, n + 3}) {
        line<<<3, 128>>>(x, x + 100, y, n, radius);
        clamped<<<3, 128>>>(x, y, n, radius);
        counted<<<3, 128>>>(whole, y, n, radius);
        planes<<<dim3(3, 3, 3), dim3(16, 4)>>>(x, z, rows, cols, radius);
        edges<<<dim3(3, 3), dim3(16, 4)>>>(x, z, rows, cols);
        if (radius < 8)
            image<<<dim3(3, 3), dim3(16, 4)>>>(in, in + 3, out, rows, cols, radius);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; ++i)
            total += y[i] * (i % 7);
        for (int i = 0; i < 3 * rows * cols; ++i)
            total += z[i] * (i % 5);
        for (int i = 0; i < rows * cols; ++i)
            total += out[i] * (i % 11);
    }
    std::printf("%.6f\n", total);
}
