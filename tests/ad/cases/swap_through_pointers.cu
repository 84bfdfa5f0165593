// A device function that changes its arguments through pointers and references.
// g2o-verify: rotate_all<<<2, 32>>>(n = 40, x = [n], y = [n])
__device__ void rotate(double *a, double &b, double angle)
{
    double old = *a;
    *a = cos(angle) * old - sin(angle) * b;
    b = sin(angle) * old + cos(angle) * b;
}

__global__ void rotate_all(double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double b = y[i];
    rotate(&x[i], b, x[i] * b);
    rotate(&x[i], b, 0.5);
    y[i] = b;
}
