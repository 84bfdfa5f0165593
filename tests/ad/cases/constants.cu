// Coefficients in constant memory and in namespace-scope constants are not active.
// g2o-verify: polynomial<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: nine_of_each<<<2, 32>>>(n = 40, x = [n], c = [9], y = [n])
__constant__ double COEFFICIENTS[4] = {1.0, -0.5, 0.25, 2.0};
const double OFFSET = 0.125;

__global__ void polynomial(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double value = 0.0;
    for (int k = 3; k >= 0; --k)
        value = value * (x[i] + OFFSET) + COEFFICIENTS[k];
    y[i] = value;
}

// What comes from constant memory is not kept; nine coefficients are added up without atomics.
__global__ void nine_of_each(const double *x, const double *c, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double w = v * v;
    y[i] = c[0] + v * c[1] * COEFFICIENTS[1] + w * (c[2] + v * c[3]) * COEFFICIENTS[2];
    v = sin(v);
    y[i] += v * c[4] * COEFFICIENTS[3] + exp(v) * (c[5] * c[6] + v * c[7] * c[8]);
}
