// A value is recorded once as long as nothing changes it: neither by its own name nor by another.
// g2o-verify: of_own_array<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: of_memory<<<2, 32>>>(x = [n], z = [n], y = [n], n = 50, m = 3)
__global__ void of_own_array(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double w[2] = {x[i], 1.0}, f[2];
    double s = 0.0;
    for (int j = 0; j < m; ++j) {
        const double *u = w;
        s += u[0] * u[0];
        w[0] = 0.5 * sin(w[0]);
        s += u[0] * u[0] * s;
        f[0] = u[0] * s;
        w[1] = u[0] * u[0] * f[0];
        w[0] += w[1];
    }
    y[i] = s;
}

__global__ void of_memory(const double *x, double *z, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *own = z + i;
    double s = x[i];
    for (int j = 0; j < m; ++j) {
        s += z[i] * z[i] * x[i];
        *own = 0.5 * cos(s) * *own;
        s += z[i] * z[i] * x[i];
        own[0] += 0.1 * s;
        s = sin(z[i]) * s;
    }
    y[i] = s;
}
