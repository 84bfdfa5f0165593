// What a thread stores for its next iteration, as many elements on as there are threads, is in order.
// g2o-verify: stored_ahead<<<2, 4>>>(x = [30], y = [40], n = 30)
__global__ void stored_ahead(const double *x, double *y, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] *= x[i];
        y[i + stride] = 2 * x[i] * x[i];
    }
}
// g2o-verify: stored_ahead_in_block<<<2, 4>>>(x = [60], y = [80], n = 30)
__global__ void stored_ahead_in_block(const double *x, double *y, int n)
{
    int at = blockIdx.x * (n + blockDim.x);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[at + i + blockDim.x] = 2 * x[i] * x[i];
        y[at + i] *= x[i + n];
    }
}
void run(const double *x, double *y)
{
    stored_ahead<<<2, 4>>>(x, y, 30);
    stored_ahead_in_block<<<2, 4>>>(x, y, 30);
}
