// Cholesky factors of small matrices, one a thread, in place in a local array.
// g2o-verify: cholesky<<<2, 8>>>(n = 12,
//     a = [n * 9 : (i % 9) % 4 == 0 ? uniform(3, 4) : uniform(0.2, 0.8)], l = [n * 9])
__global__ void cholesky(const double *a, double *l, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;
    double m[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[i][j] = a[id * 9 + i * 3 + j];
    for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < j; ++k)
            m[j][j] -= m[j][k] * m[j][k];
        m[j][j] = sqrt(m[j][j]);
        for (int i = j + 1; i < 3; ++i) {
            for (int k = 0; k < j; ++k)
                m[i][j] -= m[i][k] * m[j][k];
            m[i][j] /= m[j][j];
        }
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j)
            l[id * 9 + i * 3 + j] = m[i][j];
}
