// A while loop whose end depends on the values that it computes.
// g2o-verify: newton_while<<<2, 32>>>(n = 40, x = [n : 0.5 .. 9], y = [n])
__global__ void newton_while(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double root = x[i];
    while (fabs(root * root - x[i]) > 1e-3)
        root = 0.5 * (root + x[i] / root);
    y[i] = root;
}
