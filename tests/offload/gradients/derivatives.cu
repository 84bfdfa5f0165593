// Derivatives on a device: tapes that outgrow what a thread has of its own, and shadows of dynamic
// shared memory. Both have derivatives that are easy to tell without a machine.
#include <cmath>
#include <cstdio>

#include <cuda_runtime.h>

#pragma g2o grad
__global__ void product(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double p = 1.0;
    for (int k = 0; k < m; ++k)
        p *= x[i * m + k];
    y[i] = p;
}

#pragma g2o grad
__global__ void block_sum(const double *in, double *partial, int n)
{
    extern __shared__ double buf[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buf[t] = i < n ? in[i] * in[i] : 0.0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = buf[0];
}

void product_grad(dim3 grid, dim3 block, const double *x, double *y, int n, int m, double *d_x,
                  double *d_y);
void block_sum_grad(dim3 grid, dim3 block, std::size_t shared_bytes, const double *in,
                    double *partial, int n, double *d_in, double *d_partial);

template <typename T> T *on_device(const T *values, int n)
{
    T *pointer;
    cudaMalloc(&pointer, n * sizeof(T));
    cudaMemcpy(pointer, values, n * sizeof(T), cudaMemcpyHostToDevice);
    return pointer;
}

double worst_of_product()
{
    const int n = 50, m = 400;
    static double x[n * m], zero[n * m], g[n * m], one[n], y[n];
    for (int i = 0; i < n * m; ++i)
        x[i] = 1.0 + 0.001 * (i % 7);
    for (int i = 0; i < n; ++i)
        one[i] = 1.0;
    double *d_x = on_device(x, n * m), *d_y = on_device(one, n);
    double *s_x = on_device(zero, n * m), *s_y = on_device(one, n);
    product<<<2, 32>>>(d_x, d_y, n, m);
    product_grad(2, 32, d_x, d_y, n, m, s_x, s_y);
    cudaMemcpy(g, s_x, sizeof g, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    double worst = 0.0;
    for (int i = 0; i < n * m; ++i)
        worst = std::fmax(worst, std::fabs(g[i] * x[i] / y[i / m] - 1.0));
    return worst;
}

double worst_of_sum()
{
    const int n = 1000, threads = 128, blocks = 8;
    static double x[n], zero[n], g[n], seeds[blocks];
    for (int i = 0; i < n; ++i)
        x[i] = i % 11;
    for (int i = 0; i < blocks; ++i)
        seeds[i] = i + 1.0;
    double *d_x = on_device(x, n), *d_y = on_device(seeds, blocks);
    double *s_x = on_device(zero, n), *s_y = on_device(seeds, blocks);
    block_sum<<<blocks, threads, threads * sizeof(double)>>>(d_x, d_y, n);
    block_sum_grad(blocks, threads, threads * sizeof(double), d_x, d_y, n, s_x, s_y);
    cudaMemcpy(g, s_x, sizeof g, cudaMemcpyDeviceToHost);
    double worst = 0.0;
    for (int i = 0; i < n; ++i)
        worst = std::fmax(worst, std::fabs(g[i] - 2.0 * x[i] * (i / threads + 1.0)));
    return worst;
}

int main()
{
    const double product = worst_of_product(), sum = worst_of_sum();
    printf("%g %g\n", product, sum);
    return product < 1e-12 && sum < 1e-12 ? 0 : 1;
}
