// Loops that each thread begins or ends a step behind its neighbour, gone through by strips
#include <cstdio>

__global__ void upper(int m, int n, float *s, float *x)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < m - 1) {
        s[j1 * m + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            s[j1 * m + j2] = 0.0f;
            for (int i = 0; i < n; i++)
                s[j1 * m + j2] += x[i * m + j1] * x[i * m + j2];
            s[j2 * m + j1] = s[j1 * m + j2];
        }
    }
}

// The products are added to what is there, which is one of the factors: nothing may be kept.
__global__ void in_place(int m, int n, float *s, float *x)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < m) {
        for (int j2 = j1; j2 < m; j2++) {
            s[j1 * m + j2] *= 0.5f;
            for (int i = 0; i < n; i++)
                s[j1 * m + j2] += x[j1 * m + j2] * 0.25f + (float)i;
        }
    }
}

__global__ void lower(int m, int n, int ahead, float *s, float *x, int *count)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m)
        return;
    int done = 0;
    for (int j = 0; j <= t; j++) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += x[i * m + t] * x[i * m + j];
        s[t * m + j] = sum;
        done++;
    }
    for (int j = 2; j < t + ahead; j++) {
        for (int i = 0; i < n; i++)
            done += x[i * m + t] > 0.5f;
    }
    count[t] = done;
}

// Fewer threads than a strip, known when it is compiled.
__global__ void of_a_block(int m, int n, float *s, float *x)
{
    __shared__ float first[16];
    int t = threadIdx.x;
    first[t] = x[t];
    __syncthreads();
    for (int j = t + 3; j < m; j++) {
        s[t * m + j] = first[15 - t];
        for (int i = 0; i < n; i++)
            s[t * m + j] += x[i * m + t] * x[i * m + j];
    }
    for (int j = 0; j < t; j++) {
        s[t * m + j] = 1.0f;
        for (int i = 0; i < n; i++)
            s[t * m + j] += x[i * m + t] - x[i * m + j];
    }
}

// Loops whose heads may not be one for all: data end them, numbers without a sign, or what changes.
__global__ void apart(int m, int n, unsigned limit, int back, float *s, float *x)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m)
        return;
    float sum = 0.0f;
    for (int j = t + 1; x[j] > 1.0f; j++)
        for (int i = 0; i < n; i++)
            sum += x[i * m + t] * x[i * m + j % m];
    for (int j = t + back; j < limit; j++)
        for (int i = 0; i < n; i++)
            sum += x[i * m + t];
    int reach = 3;
    for (int j = 0; j < t + reach; j++) {
        for (int i = 0; i < n; i++)
            sum += x[i * m + t] * 0.5f;
        reach -= j % 2;
    }
    s[t] = sum;
}

int main()
{
    const int sizes[] = {1, 2, 150, 301};
    for (int m : sizes) {
        const int n = 5;
        float *s, *x;
        int *count;
        cudaMalloc((void **)&s, (m + 16) * (m + 16) * sizeof(float));
        cudaMalloc((void **)&x, n * (m + 16) * sizeof(float));
        cudaMalloc((void **)&count, m * sizeof(int));
        float *host = new float[(m + 16) * (m + 16)];
        int *counts = new int[m];
        for (int i = 0; i < n * (m + 16); ++i)
            host[i] = (i * 37 % 101) * 0.25f;
        cudaMemcpy(x, host, n * (m + 16) * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemset(s, 0, (m + 16) * (m + 16) * sizeof(float));
        for (int round = 0; round < 3; ++round) {
            double sum = 0.0;
            if (round == 0)
                upper<<<(m + 63) / 64, 64>>>(m, n, s, x);
            if (round == 1)
                lower<<<(m + 63) / 64, 64>>>(m, n, m / 3 - 2, s, x, count);
            if (round == 2 && m >= 16)
                of_a_block<<<1, 16>>>(m, n, s, x);
            cudaMemcpy(host, s, m * m * sizeof(float), cudaMemcpyDeviceToHost);
            cudaMemcpy(counts, count, m * sizeof(int), cudaMemcpyDeviceToHost);
            for (int i = 0; i < m * m; ++i)
                sum += host[i] * (1 + i % 13);
            for (int i = 0; i < m && round > 0; ++i)
                sum += counts[i] * (1 + i % 3);
            printf("%d %d: %.9g\n", m, round, sum);
        }
        apart<<<(m + 63) / 64, 64>>>(m, n, m / 2, -3, s, x);
        cudaMemcpy(host, s, m * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < m; i += 11)
            printf(" %.7g", host[i]);
        in_place<<<(m + 63) / 64, 64>>>(m, n, s, s);
        cudaMemcpy(host, s, m * m * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < m; i += 7)
            printf(" %.9g", host[i * m + i]);
        printf("\n");
        cudaFree(s);
        cudaFree(x);
        cudaFree(count);
        delete[] host;
        delete[] counts;
    }
    return 0;
}
