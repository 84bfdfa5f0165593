// Casts between float and double, to and fro.
// g2o-verify: casts<<<2, 32>>>(n = 40, x = [n], y = [n], z = [n])
__global__ void casts(const float *x, const double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double wide = x[i];
    float narrow = (float)(y[i] * wide);
    narrow *= x[i];
    z[i] = (double)narrow * y[i] + static_cast<double>(i) * wide;
}
