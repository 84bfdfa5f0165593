// out: -15.1195 -1779.8192 332.5000 44140.0000 153.2500 26204.0000
// Types and variables by the names that they have in a namespace, where they mean something else
// outside of it, and the other way around; a parameter that is called as a variable of the file.
#include <cstdio>
typedef int real;
__constant__ double coef[3] = {9, 9, 9};
static const double eps = 100;
__device__ double outer(double v, double *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    double r = s[(threadIdx.x + 1) % blockDim.x] * eps;
    r += coef[2];
    __syncthreads();
    return r;
}
namespace geo {
typedef double real;
struct pair { real s, q; };
__device__ real block_sum(real v, real *s)
{
    const int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    real r = s[0] * 0.5;
    return r;
}
__device__ pair block_pair(real v, real *s)
{
    const int t = threadIdx.x;
    __syncthreads();
    s[t] = v;
    __syncthreads();
    pair r = {s[(t + 1) % 32], s[(t + 2) % 32]};
    __syncthreads();
    return r;
}
__constant__ double coef[3] = {1, 2, 3};
static const double eps = 10;
namespace inner {
static const double eps = 0.5;
__device__ double f(double v, double *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    double r = s[(threadIdx.x + 1) % blockDim.x] * eps * ::eps + geo::eps;
    r += coef[2];
    __syncthreads();
    return r;
}
__global__ void other(const double *x, double *y)
{
    __shared__ double s[32];
    y[threadIdx.x] = outer(x[threadIdx.x], s) * eps + outer(1.5 + x[threadIdx.x], s) * coef[1];
}
}
template <typename S> struct Sum {
    S total;
    __device__ Sum operator+(const Sum &o) const { return {total + o.total}; }
    __device__ Sum twice() const
    {
        Sum s = *this + *this;
        return s;
    }
};
}
__global__ void k(const double *x, double *y)
{
    __shared__ double s[32];
    const auto m = geo::block_sum(x[threadIdx.x], s);
    __syncthreads();
    auto p = geo::block_pair(x[threadIdx.x], s);
    geo::Sum<double> sum = {x[threadIdx.x]};
    auto twice = sum.twice();
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x] - m * geo::block_sum(x[threadIdx.x] * m, s) + p.s +
                     geo::block_pair(x[threadIdx.x] * p.q, s).q + twice.total;
}
__global__ void third(const double *x, double *y, double eps)
{
    __shared__ double s[32];
    y[threadIdx.x] = outer(x[threadIdx.x], s) * eps + geo::inner::f(x[threadIdx.x], s) +
                     geo::inner::f(x[threadIdx.x], s) * coef[0];
}
void show(const double *y)
{
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 32; ++i)
        sum += (i % 7 + 1) * y[i];
    printf("%.4f %.4f\n", y[3], sum);
}
int main()
{
    double *x, *y;
    cudaMallocManaged(&x, 32 * 8);
    cudaMallocManaged(&y, 32 * 8);
    for (int i = 0; i < 32; ++i)
        x[i] = 0.01 * i;
    k<<<1, 32>>>(x, y);
    show(y);
    geo::inner::other<<<1, 32>>>(x, y);
    show(y);
    third<<<1, 32>>>(x, y, 0.25);
    show(y);
}
