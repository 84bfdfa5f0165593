// Pointers that go on by strides, backwards, under conditions, and into shared memory.
// g2o-verify: strides<<<2, 8>>>(n = 14, m = 4, x = [n * m], y = [n * m])
// g2o-verify: backwards<<<2, 8>>>(n = 14, x = [n], y = [n], skip = [n : 0 .. 1])
__global__ void strides(const double *x, double *y, int n, int m)
{
    __shared__ double s[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0.0;
    __syncthreads();
    if (i >= n)
        return;
    const double *column = x + i;
    double *out = y + i;
    const double *near = &s[threadIdx.x];
    double sum = 0.0;
    for (int k = 0; k < m; ++k, column += n) {
        sum += column[0] * *near;
        *out = sum * column[0];
        out += n;
        if (near > s)
            --near;
    }
}

__global__ void backwards(const double *x, double *y, const int *skip, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p;
    p = x + n - 1;
    double v = x[i];
    while (p - x > i) {
        v += sin(*p) * v;
        if (skip[p - x] && p - x > i + 1)
            p -= 2;
        else
            p--;
    }
    double first = *p--, second = p < x ? 1.0 : p[0];
    y[i] = v * first * second;
}
