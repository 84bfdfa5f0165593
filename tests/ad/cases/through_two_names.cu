// One array under two names: what a loop adds through one it reads through the other.
// g2o-verify: through_two_names<<<2, 4>>>(n = 8, m = 6, x = [n * m])
__global__ void through_two_names(double *x, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *row = x + i * m;
    double *middle = row + 2;
    for (int j = 0; j < m; ++j)
        row[j] = row[j] * middle[0] + 0.5;
}
