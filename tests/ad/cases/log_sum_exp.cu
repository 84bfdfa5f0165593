// The logarithm of a sum of exponentials, stabilised by a maximum whose derivative cancels.
// g2o-verify: log_sum_exp<<<2, 8>>>(rows = 12, columns = 7, x = [rows * columns : -3 .. 3], y = [rows])
__global__ void log_sum_exp(const double *x, double *y, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    double largest = x[i * columns], sum = 0.0;
    for (int j = 1; j < columns; ++j)
        if (x[i * columns + j] > largest)
            largest = x[i * columns + j];
    for (int j = 0; j < columns; ++j)
        sum += exp(x[i * columns + j] - largest);
    y[i] = largest + log(sum);
}
