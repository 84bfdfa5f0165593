// Layer norm of rows with scale and shift: two values of a block that all its threads read.
// g2o-verify: layer_norm<<<6, 16>>>(columns = 21, x = [6 * 21 : -1 .. 1], gain = [21], bias = [21],
//     y = [6 * 21])
// g2o-verify: by_warps<<<6, 32>>>(columns = 41, x = [6 * 41 : -1 .. 1], gain = [41], y = [6 * 41])
__global__ void layer_norm(const double *x, const double *gain, const double *bias, double *y,
                           int columns)
{
    __shared__ double mean, scale;
    const double *row = x + blockIdx.x * columns;
    if (threadIdx.x == 0) {
        double sum = 0.0, squares = 0.0;
        for (int j = 0; j < columns; ++j)
            sum += row[j];
        mean = sum / columns;
        for (int j = 0; j < columns; ++j)
            squares += (row[j] - mean) * (row[j] - mean);
        scale = rsqrt(squares / columns + 1e-5);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = (row[j] - mean) * scale * gain[j] + bias[j];
}

// A warp for each row, and the mean in both of the passes behind it.
__device__ double warp_sum(double v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

__global__ void by_warps(const double *x, const double *gain, double *y, int columns)
{
    const double *row = x + blockIdx.x * columns;
    double sum = 0.0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        sum += row[j];
    const double mean = warp_sum(sum) / columns;
    double squares = 0.0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        squares += (row[j] - mean) * (row[j] - mean);
    const double scale = rsqrt(warp_sum(squares) / columns + 1e-5);
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = (row[j] - mean) * scale * gain[j];
}
