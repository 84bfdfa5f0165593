// An inclusive scan over a warp: __shfl_up_sync under a condition on the lane.
// g2o-verify: warp_scan<<<2, 32>>>(x = [64], y = [64])
__global__ void warp_scan(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    double value = x[i];
    for (int offset = 1; offset < 32; offset *= 2) {
        double other = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset)
            value += other * 0.9;
    }
    y[i] = value * value;
}
