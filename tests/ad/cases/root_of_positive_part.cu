// What is cut off has the derivative 0, though that of the root is infinite there.
// g2o-verify: roots<<<2, 8>>>(n = 13, x = [16], y = [16])
__global__ void roots(const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sqrt(fmax(x[i] - 0.6, 0.0)) + 2.0 * pow(x[i] > 0.7 ? x[i] - 0.7 : 0.0, 0.3);
}
