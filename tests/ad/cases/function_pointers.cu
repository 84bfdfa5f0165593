// Pointers to functions that are known where they are called.
// g2o-verify: handed_over<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: of_the_kernel<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: as_template_arguments<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: by_another_name<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: of_deduced_type<<<2, 8>>>(n = 14, x = [n * 4], y = [n])

__device__ double square(double v) { return v * v; }
__device__ double wave(double v) { return sin(v) * v; }
typedef double (*Map)(double);
__device__ double apply(double (*f)(double), double v) { return f(v) + f(2.0 * v); }
__device__ double twice(Map f, double v) { return f(f(v)); }
__global__ void handed_over(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = apply(square, x[4 * i]) * apply(&wave, x[4 * i + 1]);
}

__global__ void of_the_kernel(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double (*f)(double) = square;
    y[i] = f(x[4 * i]) * (*f)(x[4 * i + 1]);
}

template <double (*F)(double)> __device__ double mapped(double v) { return F(v) * v; }
__global__ void as_template_arguments(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = mapped<square>(x[4 * i]) + mapped<wave>(x[4 * i]);
}

__global__ void by_another_name(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = twice(square, x[4 * i]) + twice(wave, x[4 * i + 2]);
}

template <typename F> __device__ double with(F f, double v) { return f(v) * v; }
__global__ void of_deduced_type(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = with(square, x[4 * i]) + with(wave, x[4 * i + 2]);
}
