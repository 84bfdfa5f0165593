// Pointers that lead to one place of an array or another.
// g2o-verify: one_or_other<<<2, 16>>>(n = 30, x = [2 * n], y = [n])
// g2o-verify: parts_of_one<<<2, 16>>>(n = 30, x = [2 * n], y = [2 * n])
// g2o-verify: moved_in_branch<<<2, 16>>>(n = 30, x = [n + 3], y = [n])
__global__ void one_or_other(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p;
    if (i % 2)
        p = x + i;
    else
        p = x + n;
    y[i] = p[0] * p[1] * x[i];
}

__global__ void parts_of_one(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *q = y + i;
    const double *p = x;
    if (i % 3 == 0)
        q = &y[n + i];
    if (i % 2 == 0) {
        p = x + i;
        for (int k = 0; k < 2; ++k)
            *q += p[k] * p[k];
    } else if (i == 7) {
        p += 3;
    }
    *q *= p[0];
}

__global__ void moved_in_branch(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p = x + i;
    if (i == 6)
        y[i] = x[i];
    else if (i % 4 == 1) {
        p += 3;
    }
    y[i] *= p[0];
}
