// Threads that leave the kernel out of a loop, in one axis and in two.
#include <cstdio>

__global__ void leaves_a_row(int *sums, const int *x, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < m; ++k) {
        sums[i] = sums[i] * 3 + x[k * n + i];
        if (sums[i] > 500)
            return;
    }
    sums[i] += 1;
}

__global__ void leaves_a_plane(int *found, const int *x, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h)
        return;
    for (int k = i; k < w; ++k)
        if (x[j * w + k] % 7 == 3) {
            found[j * w + i] = k;
            return;
        }
    found[j * w + i] = -1;
}

int main()
{
    const int w = 20, h = 9;
    int host[w * h];
    for (int k = 0; k < w * h; ++k)
        host[k] = k * 37 % 101;
    int *x, *y;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(y, 0, sizeof host);
    leaves_a_row<<<2, 16>>>(y, x, w, h);
    cudaMemcpy(host, y, w * sizeof(int), cudaMemcpyDeviceToHost);
    for (int k = 0; k < w; ++k)
        printf("%d ", host[k]);
    leaves_a_plane<<<dim3(3, 3), dim3(8, 4)>>>(y, x, w, h);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    for (int k = 0; k < w * h; ++k)
        printf("%d ", host[k]);
    printf("\n");
    cudaFree(x);
    cudaFree(y);
}
