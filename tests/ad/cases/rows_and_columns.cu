// Rows are read by some threads and columns by others, in one kernel.
// g2o-verify: reduce_both<<<2, 8>>>(rows = 9, cols = 6, a = [rows * cols], r = [rows], c = [cols])
__global__ void reduce_both(const double *a, double *r, double *c, int rows, int cols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        double s = 0.0;
        for (int j = 0; j < cols; ++j)
            s += a[i * cols + j] * a[i * cols + (j + 1) % cols];
        r[i] = s;
    }
    if (i < cols) {
        double s = 1.0;
        for (int j = 0; j < rows; ++j)
            s *= a[j * cols + i];
        c[i] = s;
    }
}
