// A product over a loop whose trip count is only known at run time.
// g2o-verify: product_loop<<<2, 8>>>(n = 14, count = [n : 0 .. 6], x = [n], y = [n])
__global__ void product_loop(const int *count, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double product = 1.0;
    for (int k = 0; k < count[i]; ++k)
        product *= x[(i + k) % n];
    y[i] = product;
}
