// Rows whose length is unsigned, while the index has a sign; one that no index can be, among them.
#include <cstdio>

__global__ void step(unsigned n, float r, const float *u, float *v)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n * n) {
        int i = at % n, j = at / n;
        v[i + j * n] = u[i + j * n] + r * ((i < n - 1 ? u[i + 1 + j * n] : 0.0f)
                     + (i > 0 ? u[i - 1 + j * n] : 0.0f) + (j < n - 1 ? u[i + (j + 1) * n] : 0.0f)
                     + (j > 0 ? u[i + (j - 1) * n] : 0.0f));
    }
}

__global__ void places(unsigned width, int count, int *x)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        x[at] = at % width * 1000 + at / width;
}

int main()
{
    const int most = 40 * 40;
    float *u, *v;
    int *x;
    cudaMallocManaged(&u, most * sizeof(float));
    cudaMallocManaged(&v, most * sizeof(float));
    cudaMallocManaged(&x, most * sizeof(int));
    for (unsigned n : {1u, 2u, 7u, 40u}) {
        for (int i = 0; i < most; ++i)
            u[i] = v[i] = i * 29 % 31;
        step<<<(n * n + 63) / 64, 64>>>(n, 0.25f, u, v);
        cudaDeviceSynchronize();
        float sum = 0;
        for (int i = 0; i < most; ++i)
            sum += v[i] * (i % 5 + 1);
        std::printf("%g ", sum);
    }
    for (unsigned width : {1u, 9u, 77u, 3000000000u, 4294967295u}) {
        for (int i = 0; i < most; ++i)
            x[i] = -1;
        places<<<3, 64>>>(width, 150, x);
        cudaDeviceSynchronize();
        long long sum = 0;
        for (int i = 0; i < most; ++i)
            sum += (long long)x[i] * (i % 7 + 1);
        std::printf("%lld ", sum);
    }
    std::printf("\n");
}
