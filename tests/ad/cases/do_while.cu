// A do loop: its body runs before the first test.
// g2o-verify: do_while<<<2, 32>>>(n = 40, x = [n : 0.8 .. 3], y = [n])
__global__ void do_while(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    do {
        v = v * v * 0.5 + x[i];
    } while (v < 4.0);
    y[i] = v;
}
