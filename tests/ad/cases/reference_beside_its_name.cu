// A reference to a variable whose name another variable has inside of a block.
// g2o-verify: beside<<<2, 8>>>(x = [16], y = [16])
__global__ void beside(const double *x, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    double v = x[i], w = 0.5;
    if (v < 1.0) {
        double own = sin(v);
        double v = own * own;
        w = v * own;
    }
    double &same = v;
    same = x[i] * w * same;
    s[t] = v * w;
    __syncthreads();
    v *= s[(t + 1) % 8];
    y[i] = v;
}
