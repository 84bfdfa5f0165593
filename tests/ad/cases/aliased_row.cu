// A pointer into the memory that is read beside it: the order of the loop matters.
// g2o-verify: aliased_row<<<1, 8>>>(n = 20, x = [n])
__global__ void aliased_row(double *x, int n)
{
    double *row = x + 3;
    if (threadIdx.x == 0)
        for (int j = 1; j < n - 3; ++j)
            row[j] = row[j] + 0.5 * x[j + 2];
}
