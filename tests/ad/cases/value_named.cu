// A value parameter that the request names.
// g2o-verify: axpby<<<2, 32>>>(n = 40, x = [n], y = [n])
#pragma g2o grad (y)/(x, a)
__global__ void axpby(int n, double a, const double *x, double b, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * a * x[i] + b * y[i];
}
