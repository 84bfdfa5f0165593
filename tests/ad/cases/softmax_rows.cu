// Softmax of rows, a block each: maximum and sum by trees in shared memory.
// g2o-verify: softmax_rows<<<5, 16, 16 * sizeof(double)>>>(columns = 37, x = [5 * 37 : -2 .. 2],
//     y = [5 * 37])
__global__ void softmax_rows(const double *x, double *y, int columns)
{
    extern __shared__ double buffer[];
    int t = threadIdx.x;
    const double *row = x + blockIdx.x * columns;
    double largest = -INFINITY;
    for (int j = t; j < columns; j += blockDim.x)
        largest = fmax(largest, row[j]);
    buffer[t] = largest;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buffer[t] = fmax(buffer[t], buffer[t + s]);
        __syncthreads();
    }
    largest = buffer[0];
    __syncthreads();
    double sum = 0.0;
    for (int j = t; j < columns; j += blockDim.x)
        sum += exp(row[j] - largest);
    buffer[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            buffer[t] += buffer[t + s];
        __syncthreads();
    }
    for (int j = t; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = exp(row[j] - largest) / buffer[0];
}
