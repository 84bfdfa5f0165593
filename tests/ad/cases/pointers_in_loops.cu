// Pointers that go on by strides, backwards, under conditions, and into shared memory.
// g2o-verify: strides<<<2, 8>>>(n = 14, m = 4, x = [n * m], y = [n * m])
// g2o-verify: backwards<<<2, 8>>>(n = 14, x = [n], y = [n], skip = [n : 0 .. 1])
// g2o-verify: in_heads<<<2, 8>>>(n = 14, x = [n * 3], y = [n])
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

struct Pair {
    double first, second;
};

// Pointers that heads of loops declare, one beside its end, one into objects.
__global__ void in_heads(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair pairs[3];
    double v[3];
    for (double *p = v, *end = v + 3; p != end; ++p)
        *p = x[3 * i + (p - v)];
    for (int k = 0; k < 3; ++k)
        pairs[k] = {v[k], v[k] * v[2]};
    double sum = 0.0;
    for (Pair *pair = pairs; pair < pairs + 3; ++pair)
        sum += pair->first * pair->second;
    y[i] = sum;
}
