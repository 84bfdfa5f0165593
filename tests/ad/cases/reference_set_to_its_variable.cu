// A reference that is set to what it stands for changes nothing: `w = w` is a warning for clang.
// g2o-verify: kept<<<2, 8>>>(x = [16], y = [16])
__global__ void kept(const double *x, double *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double w = x[i];
    for (int j = 0; j < 2; ++j) {
        double &same = w;
        same = w;
        w *= x[15 - i];
    }
    y[i] = w * x[i];
}
