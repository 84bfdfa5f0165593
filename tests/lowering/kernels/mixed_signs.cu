// The author compares an unsigned counter with a signed count: a cast says what is compared.
__global__ void sums(float *y, const float *x, int n, unsigned m)
{
    __shared__ float s[64];
    float sum = 0;
    for (unsigned i = 0; i < n; i += 64) {
        s[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < m; ++j)
            sum += s[(j + threadIdx.x) % 64];
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch(float *y, const float *x, int n)
{
    sums<<<4, 64>>>(y, x, n, 8);
}
