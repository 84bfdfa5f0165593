// An integer computed from an active value selects entries of a table: the integer has no
// derivative, what is left of the value has.
// g2o-verify: interpolate<<<2, 32>>>(n = 50, m = 12, x = [n : 0.1 .. 10.9], table = [m], y = [n])
__global__ void interpolate(const double *x, const double *table, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int cell = (int)x[i];
    if (cell > m - 2)
        cell = m - 2;
    double fraction = x[i] - cell;
    y[i] = (1.0 - fraction) * table[cell] + fraction * table[cell + 1] * fraction;
}
