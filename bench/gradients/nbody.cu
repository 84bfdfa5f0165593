// Forces between all pairs of bodies, coordinates in arrays of their own.
__global__ void forces(const double *__restrict__ x, const double *__restrict__ y,
                       const double *__restrict__ z, const double *__restrict__ mass,
                       double *__restrict__ fx, double *__restrict__ fy, double *__restrict__ fz,
                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sx = 0.0, sy = 0.0, sz = 0.0;
    for (int j = 0; j < n; ++j) {
        double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        double square = dx * dx + dy * dy + dz * dz + 1e-3;
        double s = mass[j] / (square * sqrt(square));
        sx += s * dx;
        sy += s * dy;
        sz += s * dz;
    }
    fx[i] = sx;
    fy[i] = sy;
    fz[i] = sz;
}
