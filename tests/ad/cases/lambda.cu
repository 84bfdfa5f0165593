// A lambda that captures active values.
// g2o-verify: mix<<<2, 16>>>(n = 30, x = [n], y = [n])
__global__ void mix(const double *x, double *y, int n, double weight)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    auto blend = [=](double other) { return weight * v + (1.0 - weight) * other * other; };
    y[i] = blend(x[(i + 1) % n]) * blend(2.0);
}
