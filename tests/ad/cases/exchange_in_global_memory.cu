// Lanes that exchange through global memory in step; the reverse sweep is in step, too.
// g2o-verify: k<<<2, 32>>>(n = 32, x = [64], row = [64], y = [64])
__global__ void k(const double *x, double *row, double *y, int n)
{
    int j = threadIdx.x, at = blockIdx.x * 32;
    row[at + j] = x[at + j] * x[at + j];
    row[at + j] *= row[at + (j + 1) % 32];
    if (j > 3)
        row[at + j] += sin(row[at + j - 1]);
    double sum = row[at + 31 - j];
    for (int i = 0; i < n; ++i)
        sum += row[at + i] * (i + 1);
    y[at + j] = sum * x[at + j];
}

void launch(const double *x, double *row, double *y)
{
    k<<<2, 32>>>(x, row, y, 32);
}
