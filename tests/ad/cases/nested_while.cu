// Loops within loops whose ends depend on what they compute.
// g2o-verify: relax<<<2, 8>>>(n = 14, x = [n : 0.3 .. 0.5], y = [n])
__global__ void relax(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], total = 0.0;
    int outer = 0;
    while (v < 10.0 && outer < 6) {
        double w = v;
        do {
            w = 0.6 * w + 0.05 * v * x[i];
            total += w * total * 0.1 + w;
        } while (w > 0.8);
        v = v * 1.5 + 0.2 * w;
        ++outer;
    }
    y[i] = total * v;
}
