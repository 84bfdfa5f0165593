// Whole parts of active values by casts and by rounding functions. The differences see steps of a
// float between doubles.
// g2o-verify: tolerance = 1e-6
// g2o-verify: differences = 5e-2
// g2o-verify: parts<<<2, 8>>>(n = 14, x = [n : 0.1 .. 5.9], y = [n])
__global__ void parts(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned cell = (unsigned)(x[i] * 2.0);
    double frac = x[i] * 2.0 - cell;
    float narrow = frac;
    long long many = llrint(x[i]);
    int steps = cell % 4;
    double v = frac;
    for (int j = 0; j < steps; ++j)
        v *= frac + j;
    y[i] = v * narrow + many * x[i] + trunc(x[i]) * x[i];
}
