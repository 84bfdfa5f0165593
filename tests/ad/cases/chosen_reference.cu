// A reference to one of two locations, which an active value chooses.
// g2o-verify: chosen<<<2, 8>>>(n = 14, x = [n : -1 .. 1], y = [n], z = [n])
__global__ void chosen(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double &target = x[i] > 0 ? y[i] : z[i];
    target *= x[i];
    target += target * target;
}
