// Marching through planes with registers and a tile: the adjoint gathers what neighbours add, without tile, registers, tapes or
// atomics.
// g2o-verify: planes<<<(2, 2), (8, 4)>>>(in = [13 * 7 * 5], out = [13 * 7 * 5], nx = 13, ny = 7, nz = 5, a = 0.3)
// g2o-verify: handed_back<<<2, 8>>>(x = [14 * 6], y = [14 * 6], n = 14, nz = 6)
// g2o-verify: no_planes<<<2, 8>>>(x = [14 * 2], y = [14 * 2], n = 14, nz = 2)
#define TX 8
#define TY 4
__global__ void planes(const double *in, double *out, int nx, int ny, int nz, double a)
{
    __shared__ double tile[TY + 2][TX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int i = blockIdx.x * TX + threadIdx.x, j = blockIdx.y * TY + threadIdx.y;
    const bool inside = i < nx && j < ny;
    const int plane = nx * ny;
    int at = j * nx + i;
    double below, here = inside ? in[at] : 0.0, above = inside ? in[at + plane] : 0.0;
    for (int k = 1; k < nz - 1; ++k) {
        below = here;
        here = above;
        at += plane;
        above = inside ? in[at + plane] : 0.0;
        __syncthreads();
        tile[ty][tx] = here;
        if (inside && threadIdx.x == 0 && i > 0)
            tile[ty][0] = in[at - 1];
        if (inside && threadIdx.x == TX - 1 && i < nx - 1)
            tile[ty][TX + 1] = in[at + 1];
        if (inside && threadIdx.y == 0 && j > 0)
            tile[0][tx] = in[at - nx];
        if (inside && threadIdx.y == TY - 1 && j < ny - 1)
            tile[TY + 1][tx] = in[at + nx];
        __syncthreads();
        if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1)
            out[at] = a * here * (tile[ty][tx - 1] - tile[ty][tx + 1]) + tile[ty - 1][tx] * tile[ty + 1][tx] + above + sin(below);
    }
}

__global__ void handed_back(const double *x, double *y, int n, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= n)
        return;
    double last = x[i], now = x[i + n];
    for (int k = 1; k < nz; ++k) {
        y[i + k * n] = last * now;
        last = now;
        now = x[i + (k < nz - 1 ? (k + 1) * n : 0)];
    }
    y[i] = last * last + now;
}

__global__ void no_planes(const double *x, double *y, int n, int nz)
{
    const int i = blockIdx.x * TX + threadIdx.x;
    if (i >= n)
        return;
    int c = i;
    double last = x[c], now = x[c + n];
    for (int k = 2; k < nz; ++k) {
        c += n;
        last = now;
        now = x[c + n];
        y[c] = last * now;
    }
    y[i] = last * now;
}
