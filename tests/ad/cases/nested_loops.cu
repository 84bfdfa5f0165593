// Nested loops with bounds that depend on the outer index, and a running value across both.
// g2o-verify: nested_loops<<<2, 8>>>(n = 12, x = [n], y = [n])
__global__ void nested_loops(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double value = x[i];
    for (int a = 0; a < 4; ++a) {
        double inner = 0.0;
        for (int b = a; b < 6; b += 2)
            inner += x[(i + b) % n] * value;
        value = sin(inner) + 0.5 * value;
    }
    y[i] = value;
}
