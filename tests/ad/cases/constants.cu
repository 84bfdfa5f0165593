// Coefficients in constant memory and in namespace-scope constants are not active.
// g2o-verify: polynomial<<<2, 32>>>(n = 40, x = [n], y = [n])
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
