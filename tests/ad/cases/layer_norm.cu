// Layer norm of rows with scale and shift: two values of a block that all its threads read.
// g2o-verify: layer_norm<<<6, 16>>>(columns = 21, x = [6 * 21 : -1 .. 1], gain = [21], bias = [21],
//     y = [6 * 21])
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
