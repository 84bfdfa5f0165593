// An active value flows from x to y through a buffer that the request does not name.
#pragma g2o grad (y)/(x)
__global__ void through(const double *x, double *buffer, double *y, int n)
{
    int i = threadIdx.x;
    buffer[i] = x[i] * x[i]; // refused: buffer
    __syncthreads();
    y[i] = buffer[n - 1 - i];
}

#pragma g2o grad(y) / (x)
__global__ void either(const double *x, double *y, const double *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double *p = i % 2 ? x : c;
    y[i] = p[i] * p[i]; // refused: flow through 'c'
}
