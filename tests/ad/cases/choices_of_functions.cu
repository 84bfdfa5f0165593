// Choices between functions that are expressions with calls in them, which become statements.
// g2o-verify: scores<true><<<2, 32>>>(n = 50, x = [60], y = [50])
// g2o-verify: scores<false><<<2, 32>>>(n = 50, x = [60], y = [50])
__device__ double larger(double a, double b) { return a > b ? a : b; }
__device__ double added(double a, double b)
{
    if (a <= -1e9)
        return b;
    const double high = larger(a, b), low = a > b ? b : a;
    return high + log1p(exp(low - high));
}
__device__ double largest(double a, double b, double c) { return larger(larger(a, b), c); }
template <bool Largest> __device__ double joined(double a, double b, double c)
{
    return Largest ? largest(a, b, c) : added(added(a, b), c);
}
template <bool Largest> __global__ void scores(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double score = joined<Largest>(x[i], x[i + 1] * x[i], x[i + 2]) + x[i];
    bool is_large = x[i] > 0.7 && largest(x[i], score, 1.0) > 1.2;
    y[i] = is_large ? joined<Largest>(score, 1.0, x[i + 3]) : score * score;
}
