// The minus of an unsigned number is a large number, which is what the derivative is multiplied by.
// g2o-verify: negate<<<2, 16>>>(x = [32], y = [32], m = 3)

__global__ void negate(const double *x, double *y, unsigned m) {
    int i = blockIdx.x * 16 + threadIdx.x;
    y[i] = -m * x[i];
}
