// The simplest update in place, with the shadow of a value parameter.
// g2o-verify: saxpy<<<3, 64>>>(n = 150, x = [n], y = [n])
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
