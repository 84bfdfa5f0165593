// Loops that some threads do not enter, inside branches that some do not take.
// g2o-verify: zero_trips<<<2, 16>>>(n = 30, x = [n : -1 .. 1], y = [n])
__global__ void zero_trips(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    if (v > -0.5) {
        int k = i % 4;
        while (k-- > 0) {
            v = v * v + 0.3;
            if (v > 0.8)
                v *= 0.5;
            else
                for (int m = 0; m < k; ++m)
                    v += 0.1 * v * x[m];
        }
    }
    y[i] = v;
}
