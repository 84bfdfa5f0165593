// Threads that find their column by division: what they add to it is summed up by every CPU thread
// in a copy of its own.

// g2o-verify: add_bias<<<3, 32>>>(n = 94, columns = 20, x = [n], bias = [columns], y = [n])
__global__ void add_bias(int n, int columns, const float *x, const float *bias, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * bias[i % columns];
}

// g2o-verify: in_strides<<<2, 32>>>(n = 150, channels = 5, columns = 17, x = [n], gamma = [columns], y = [n])
__global__ void in_strides(int n, int channels, int columns, const double *x, const double *gamma,
                           double *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const int c = i / columns % channels;
        y[i] = x[i] * gamma[i % columns] + c * gamma[c];
    }
}

// All of a row is added to one place, once.
// g2o-verify: normalise<<<4, 32>>>(n = 117, channels = 3, area = 20, x = [n], gamma = [3], beta = [3], y = [n])
__global__ void normalise(int n, int channels, int area, const float *x, const float *gamma,
                          const float *beta, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = i / area % channels;
        y[i] = x[i] * gamma[c] + beta[c];
    }
}
