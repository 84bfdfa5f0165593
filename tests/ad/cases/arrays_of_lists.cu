// Arrays that are as long as their lists.
// g2o-verify: listed<<<2, 8>>>(x = [16], y = [16], n = 13, a = 0.7)
__global__ void listed(const double *x, double *y, int n, double a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double powers[] = {1.0, x[i], x[i] * x[i]};
    double pairs[][2] = {{a, sin(x[i])}, {x[i] * a, 2.0}, {cos(x[i]), x[i]}};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        pairs[k][0] *= powers[k];
        sum += pairs[k][0] * pairs[k][1];
    }
    y[i] = sum;
}
