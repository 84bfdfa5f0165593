// What a shuffle gives is overwritten before anybody asks for it.
// g2o-verify: overwritten<<<2, 8>>>(x = [16], y = [16], m = 3)
// g2o-verify: in_half_a_tile<<<2, 12>>>(x = [24], y = [24], m = 3)
__global__ void overwritten(const double *x, double *y, int m)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    double w = x[i];
    double h = __shfl_sync(0xff, w, m, 8);
    h = x[(t + 1) % 8];
    double g;
    if (m > 2)
        g = __shfl_xor_sync(0xff, w, 1, 8);
    g = w * h;
    y[i] = g * h;
}

__global__ void in_half_a_tile(const double *x, double *y, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double w = x[i] * x[i];
    double h = __shfl_sync(0xffffffff, w, m, 8);
    y[i] = w * h + __shfl_xor_sync(0xffffffff, w, 1);
    h = __shfl_sync(0xffffffff, w, m, 8);
    h = 2;
    y[i] += h * w;
}
