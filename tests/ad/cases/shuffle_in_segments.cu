// Shuffles within segments of a warp.
// g2o-verify: segments<<<1, 64>>>(x = [64], y = [64])
__global__ void segments(const double *x, double *y)
{
    int t = threadIdx.x;
    double v = x[t];
    for (int d = 4; d > 0; d /= 2)
        v += v * __shfl_down_sync(0xffffffffu, v, d, 8);
    double top = __shfl_sync(0xffffffffu, v, 0, 8);
    y[t] = t % 8 == 3 ? top * v : top;
}

// The width of the whole warp, as the source says it.
// g2o-verify: whole_warp<<<1, 64>>>(x = [64], y = [64])
__global__ void whole_warp(const double *x, double *y)
{
    int t = threadIdx.x;
    double v = __shfl_up_sync(0xffffffffu, x[t] * x[t], 1, warpSize);
    y[t] = v * x[t];
}
