// A few threads at a time go through sums over rows of their own, and what is left one by one
#include <cstdio>

__global__ void products(int rows, int cols, const float *a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        y[i] = 0;
        for (int j = 0; j < cols; j++)
            y[i] += a[i * cols + j] * x[j];
    }
}

__global__ void of_rows(int n, int m, float alpha, const float *a, float *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    c[i * n + j] *= 0.5f;
    for (int k = 0; k < m; k++)
        c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
}

// The sums may lie in the rows.
__global__ void in_place(int rows, int cols, float *a, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        y[i * cols] = 1.0f;
        for (int j = 1; j < cols; j++)
            y[i * cols] += a[i * cols + j - 1] * 0.5f;
    }
}

__global__ void norms(unsigned rows, int cols, const double *a, double *norm, int *count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    const double *row = a + i * cols;
    double sum = 0.0, first = row[0];
    for (int j = 0; j < cols; j++) {
        double d = row[j] - first;
        sum += d * d;
    }
    if (sum > 4.0)
        atomicAdd(count, 1);
    norm[i] = sqrt(sum);
}

int main()
{
    const int sizes[] = {1, 7, 8, 45, 131};
    for (int n : sizes) {
        const int m = n / 2 + 3;
        float *a, *x, *y, *c;
        double *d, *norm;
        int *count;
        cudaMalloc((void **)&a, n * m * sizeof(float));
        cudaMalloc((void **)&x, m * sizeof(float));
        cudaMalloc((void **)&y, n * m * sizeof(float));
        cudaMalloc((void **)&c, n * n * sizeof(float));
        cudaMalloc((void **)&d, n * m * sizeof(double));
        cudaMalloc((void **)&norm, n * sizeof(double));
        cudaMallocManaged(&count, sizeof(int));
        *count = 0;
        float *host = new float[n * n + n * m + m];
        double *reals = new double[n * m];
        for (int i = 0; i < n * n + n * m + m; ++i)
            host[i] = (i * 37 % 101) * 0.25f;
        for (int i = 0; i < n * m; ++i)
            reals[i] = host[i] * 0.125;
        cudaMemcpy(a, host, n * m * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(x, host + n, m * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(c, host, n * n * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(d, reals, n * m * sizeof(double), cudaMemcpyHostToDevice);
        products<<<(n + 31) / 32, 32>>>(n, m, a, x, y);
        of_rows<<<dim3((n + 15) / 16, (n + 3) / 4), dim3(16, 4)>>>(n, m, 1.5f, a, c);
        norms<<<(n + 31) / 32, 32>>>(n, m, d, norm, count);
        cudaMemcpy(host, y, n * sizeof(float), cudaMemcpyDeviceToHost);
        cudaMemcpy(reals, norm, n * sizeof(double), cudaMemcpyDeviceToHost);
        double sum = 0.0, all = 0.0, rows = 0.0;
        for (int i = 0; i < n; ++i)
            sum += host[i] * (1 + i % 13), all += reals[i] * (1 + i % 7);
        cudaMemcpy(host, c, n * n * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n * n; ++i)
            rows += host[i] * (1 + i % 11);
        printf("%.9g %.9g %.12g %d\n", sum, rows, all, *count);
        in_place<<<(n + 31) / 32, 32>>>(n, m, a, a);
        cudaMemcpy(host, a, n * m * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i += 9)
            printf(" %.9g", host[i * m]);
        printf("\n");
        cudaFree(a);
        cudaFree(x);
        cudaFree(y);
        cudaFree(c);
        cudaFree(d);
        cudaFree(norm);
        cudaFree(count);
        delete[] host;
        delete[] reals;
    }
    return 0;
}
