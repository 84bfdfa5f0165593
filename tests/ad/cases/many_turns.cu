// A loop with a barrier that turns more often than a tape has room in itself.
// g2o-verify: mix<<<2, 8>>>(turns = 150, x = [16], y = [16])
__global__ void mix(const double *x, double *y, int turns)
{
    __shared__ double s[8];
    int t = threadIdx.x;
    double v = x[blockIdx.x * 8 + t];
    for (int turn = 0; turn < turns; ++turn) {
        s[t] = v;
        __syncthreads();
        v = 0.5 * (v + sin(s[7 - t] + turn));
        __syncthreads();
    }
    y[blockIdx.x * 8 + t] = v * v;
}
