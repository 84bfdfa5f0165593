// An active value flows through a variable of the device that has no shadow.
__device__ double held[64];

__global__ void through_variable(const double *x, double *y)
{
    int i = threadIdx.x;
    held[i] = x[i]; // refused: held
    __syncthreads();
    y[i] = held[i] * held[i];
}
