// A tridiagonal solver, one system a thread: a forward sweep and a backward sweep over local arrays.
// g2o-verify: thomas<<<1, 8>>>(systems = 6, n = 5, a = [30 : -0.5 .. 0.5], b = [30 : 2 .. 3],
//     c = [30 : -0.5 .. 0.5], d = [30])
#define LONGEST 8

__global__ void thomas(const double *a, const double *b, const double *c, double *d, int systems,
                       int n)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double upper[LONGEST], right[LONGEST];
    int base = s * n;
    upper[0] = c[base] / b[base];
    right[0] = d[base] / b[base];
    for (int i = 1; i < n; ++i) {
        double pivot = b[base + i] - a[base + i] * upper[i - 1];
        upper[i] = c[base + i] / pivot;
        right[i] = (d[base + i] - a[base + i] * right[i - 1]) / pivot;
    }
    d[base + n - 1] = right[n - 1];
    for (int i = n - 2; i >= 0; --i)
        d[base + i] = right[i] - upper[i] * d[base + i + 1];
}
