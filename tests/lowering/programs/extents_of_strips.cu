// Constants that arrays of a thread have as extents stand in front of the arrays of strips
#include <cstdio>

__global__ void weighted(const float *x, const float *w, float *y, int n, int m)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float mine = x[i];
    const int MOST = 8;
    const int TWICE = 2 * MOST;
    float far[TWICE];
    const int used = min(m, min(n - 1, TWICE));
    for (int j = 0; j < used; ++j)
        far[j] = mine - x[j * n + i];
    float sum = 0.0f;
    for (int j = 0; j < used; ++j)
        sum += far[j] * w[j * n + i];
    y[i] = sum;
}

__global__ void nearest(const float *x, int n, float *y, int k)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float mine = x[i];
    const int MOST = 16;
    float distance[MOST];
    int who[MOST];
    const int used = min(k, min(n - 1, MOST));
    for (int j = 0; j < used; ++j) {
        distance[j] = 1e30f;
        who[j] = -1;
    }
    for (int j = 0; j < n; ++j) {
        if (j == i)
            continue;
        const float d = (mine - x[j]) * (mine - x[j]);
        if (d < distance[used - 1]) {
            distance[used - 1] = d;
            who[used - 1] = j;
            for (int m = used - 1; m > 0 && distance[m] < distance[m - 1]; --m) {
                const float farther = distance[m];
                distance[m] = distance[m - 1];
                distance[m - 1] = farther;
                const int other = who[m];
                who[m] = who[m - 1];
                who[m - 1] = other;
            }
        }
    }
    float sum = 0.0f;
    for (int j = 0; j < used; ++j)
        sum += x[who[j]];
    y[i] = sum / used;
}

int main()
{
    const int n = 150, m = 11;
    float *x, *w, *y, *near;
    cudaMallocManaged(&x, n * m * sizeof(float));
    cudaMallocManaged(&w, n * m * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&near, n * sizeof(float));
    for (int i = 0; i < n * m; ++i) {
        x[i] = (i * 37 % 101) * 0.25f;
        w[i] = (i * 11 % 7) * 0.5f;
    }
    weighted<<<3, 64>>>(x, w, y, n, m);
    nearest<<<3, 64>>>(x, n, near, 5);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i += 7)
        printf("%g %g\n", y[i], near[i]);
    cudaFree(x);
    cudaFree(w);
    cudaFree(y);
    cudaFree(near);
    return 0;
}
