// An active value flows from x to y through a buffer that the request does not name.
#pragma g2o grad (y)/(x)
__global__ void through(const double *x, double *buffer, double *y, int n)
{
    int i = threadIdx.x;
    buffer[i] = x[i] * x[i]; // refused: buffer
    __syncthreads();
    y[i] = buffer[n - 1 - i];
}
