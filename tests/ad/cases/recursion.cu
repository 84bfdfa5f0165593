// Recursion whose depth constant arguments bound.
// g2o-verify: powers_by_halves<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: polynomials<<<2, 16>>>(n = 30, x = [n * 4], y = [n])
// g2o-verify: evaluate<<<2, 16>>>(n = 30, x = [n], c = [n + 6], y = [n])
// g2o-verify: powers<<<2, 16>>>(n = 30, x = [n], y = [n])
__device__ double horner(const double *c, double x, int depth)
{
    if (depth == 0)
        return c[0];
    return c[0] + x * horner(c + 1, x, depth - 1);
}

__global__ void evaluate(const double *x, const double *c, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = horner(c + i, x[i], 4);
}

__device__ double power(double x, int exponent)
{
    return exponent == 0 ? 1.0 : x * power(x, exponent - 1);
}

__device__ double halves(const double *x, int first, int count)
{
    if (count > 1) {
        double left = halves(x, first, count / 2);
        return left * halves(x, first + count / 2, count / 2);
    }
    return sin(x[first]);
}

__global__ void powers(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = power(x[i], 5) + halves(x, 0, 4);
}

// The depth is an argument of the template.
template <int N> __device__ double raised(double x)
{
    if constexpr (N == 0)
        return 1.0;
    else if constexpr (N % 2 == 0) {
        double h = raised<N / 2>(x);
        return h * h;
    } else
        return x * raised<N - 1>(x);
}

template <int N> __device__ double nested(const double *c, double x)
{
    if constexpr (N == 1)
        return c[0];
    else
        return c[0] + x * nested<N - 1>(c + 1, x);
}

__global__ void powers_by_halves(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = raised<7>(x[i]);
}

__global__ void polynomials(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = nested<4>(x + 4 * i, y[i]);
}
