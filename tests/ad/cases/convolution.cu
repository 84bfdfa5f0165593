// A convolution with active weights: every thread reads all weights and a window of the input.
// g2o-verify: convolve<<<(2, 2), (4, 8)>>>(n = 9, x = [n * n], weight = [9], y = [n * n])
__global__ void convolve(const double *x, const double *weight, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    double sum = 0.0;
    for (int b = -1; b <= 1; ++b)
        for (int a = -1; a <= 1; ++a)
            if (i + a >= 0 && i + a < n && j + b >= 0 && j + b < n)
                sum += weight[(b + 1) * 3 + a + 1] * x[(j + b) * n + i + a];
    y[j * n + i] = sum > 0.0 ? sum : 0.1 * sum;
}
