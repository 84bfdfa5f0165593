// Elements of a thread's own array by a pointer, and by the name of the array behind that.
// g2o-verify: by_both<<<1, 8>>>(n = 6, x = [8], y = [8])
__global__ void by_both(const double *x, double *y, int n)
{
    int t = threadIdx.x;
    double v = x[t];
    double q3[4];
    for (int h4 = 0; h4 < 4; ++h4)
        q3[h4] = 0.7 * v + 0.1 * h4;
    double *g5 = q3 + t % 2;
    g5[1] = v;
    double w = cos(0.4 - g5[0]);
    q3[1] = 0.5 * q3[1] + 0.3 * sin(v * 2.0);
    y[t] += g5[0] + 0.5 * v * w;
}
