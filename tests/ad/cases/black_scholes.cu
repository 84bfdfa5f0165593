// Prices of options: a chain of logarithms, roots, exponentials and the error function.
// g2o-verify: black_scholes<<<2, 32>>>(n = 50, spot = [n : 5 .. 30], strike = [n : 1 .. 100],
//     years = [n : 0.25 .. 10], rate = 0.02, volatility = 0.3, call = [n], put = [n])
__device__ double normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

__global__ void black_scholes(const double *spot, const double *strike, const double *years,
                              double rate, double volatility, double *call, double *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = spot[i], x = strike[i], t = years[i];
    double deviation = volatility * sqrt(t);
    double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
    double d2 = d1 - deviation;
    double discounted = x * exp(-rate * t);
    call[i] = s * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - s * normal(-d1);
}
