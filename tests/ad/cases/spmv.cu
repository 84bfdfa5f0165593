// A sparse matrix times a vector in CSR form, with values and vector active.
// g2o-verify: spmv<<<2, 8>>>(rows = 12, begin = [rows + 1 : 3 * i], column = [36 : (5 * i + 1) % 12],
//     value = [36], x = [12], y = [12])
__global__ void spmv(const int *begin, const int *column, const double *value, const double *x,
                     double *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    double sum = 0.0;
    for (int k = begin[row]; k < begin[row + 1]; ++k)
        sum += value[k] * x[column[k]];
    y[row] = sum * sum;
}
