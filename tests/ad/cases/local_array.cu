// A local array that is filled, overwritten under an index known at run time, and summed.
// g2o-verify: local_array<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void local_array(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double window[4];
    for (int k = 0; k < 4; ++k)
        window[k] = x[(i + k) % n];
    for (int k = 0; k < 6; ++k)
        window[(k + i) % 4] = window[k % 4] * window[(k + 1) % 4];
    double sum = 0.0;
    for (int k = 0; k < 4; ++k)
        sum += (k + 1) * window[k];
    y[i] = sum;
}
