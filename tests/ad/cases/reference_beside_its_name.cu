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

// One whose own block is around that name's, and one that is bound to another reference.
// g2o-verify: around<<<2, 8>>>(x = [16], y = [16], z = [16], a = 0.7)
__global__ void around(const double *x, double *y, double *z, double a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i];
    double &first = v;
    double &second = first;
    for (int j = 0; j < 3; ++j) {
        double v = log(2 + sin(x[i] * a));
        second = 0.5 * second * v / (2 + sin(a * second));
        z[i] *= 0.5 * a / (2 + sin(second));
        second *= second + v;
    }
    {
        double v = exp(0.2 * x[i]);
        for (int j = 0; j < 3; ++j) {
            double &inner = v;
            inner = 0.5 * v / (2 + sin(a));
            z[i] *= 0.5 * a / (2 + sin(inner));
        }
    }
    y[i] = v * sin(v);
}
