// Stencils that march: places that a head steps, or that are named behind the loop, have closed forms, and registers that
// hand elements on are these elements.
// g2o-verify: stepped_in_head<<<2, 32>>>(x = [60 * 5], y = [60 * 5], plane = 60, nz = 5)
// g2o-verify: named_behind<<<2, 32>>>(x = [60 * 5], y = [60 * 5], plane = 60, nz = 5)
// g2o-verify: none_at_all<<<2, 32>>>(x = [60 * 5], y = [60 * 5], plane = 60, nz = 0)
// g2o-verify: handed_on<<<2, 32>>>(x = [60 * 6], y = [60 * 6], plane = 60, nz = 6)
// g2o-verify: handed_on_first<<<(2, 1), (8, 8)>>>(x = [12 * 7 * 5], y = [12 * 7 * 5], nx = 12, ny = 7, nz = 5)
// g2o-verify: begun_otherwise<<<2, 32>>>(x = [60 * 6], y = [60 * 6], plane = 60, nz = 6)
// g2o-verify: asked_behind<<<2, 32>>>(x = [60 * 6], y = [60 * 6], plane = 60, nz = 6)
// g2o-verify: over_itself<<<2, 32>>>(x = [60 * 6], plane = 60, nz = 6)
// g2o-verify: backwards_through<<<2, 32>>>(x = [60 * 6], y = [60 * 6], plane = 60, nz = 6)
__global__ void stepped_in_head(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    int c = i;
    for (int k = 0; k < nz; ++k, c += plane)
        y[c] = x[c] * x[c];
}

__global__ void named_behind(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    int c = i;
    for (int k = 0; k < nz - 1; ++k) {
        y[c] = sin(x[c]) * x[c + plane];
        c += plane;
    }
    y[c] = 3.0 * x[c] * x[c];
}

__global__ void none_at_all(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    int c = i;
    for (int k = 2; k < nz; ++k, c += plane)
        y[c] = x[c] * x[c];
    y[c] += x[c] * x[c];
}

__global__ void handed_on(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    double below = x[i], here = x[i + plane];
    for (int k = 1; k < nz - 1; ++k) {
        double above = x[i + (k + 1) * plane];
        y[i + k * plane] = sin(below) * here * above;
        below = here;
        here = above;
    }
}

__global__ void handed_on_first(const double *x, double *y, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)
        return;
    int c = j * nx + i;
    const int plane = nx * ny;
    double bottom, middle = x[c], top = x[c + plane];
    for (int k = 1; k < nz - 1; ++k) {
        c += plane;
        bottom = middle;
        middle = top;
        top = x[c + plane];
        y[c] = bottom * middle + sin(middle) * top + x[c - 1] * x[c + 1] + x[c - nx] * x[c + nx];
    }
}

__global__ void begun_otherwise(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    int c = i;
    double prev = 2.0 * x[c], cur = x[c];
    for (int k = 0; k < nz - 1; ++k, c += plane) {
        double next = x[c + plane];
        y[c] = sin(prev) * cur * next;
        prev = cur;
        cur = next;
    }
    y[c] = prev * cur;
}

__global__ void over_itself(double *x, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    double below = x[i];
    for (int k = 0; k < nz - 1; ++k) {
        double above = x[i + (k + 1) * plane];
        x[i + k * plane] = below * above;
        below = above;
    }
}

__global__ void backwards_through(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    double above = x[i + (nz - 1) * plane];
    for (int k = nz - 2; k >= 0; --k) {
        double here = x[i + k * plane];
        y[i + k * plane] = exp(above) * here;
        above = here;
    }
}

__global__ void asked_behind(const double *x, double *y, int plane, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane)
        return;
    int c = i;
    double below = x[c], here = x[c], above = x[c + plane];
    y[c] = below * here * above;
    for (int k = 1; k <= nz - 2; ++k) {
        c += plane;
        below = here;
        here = above;
        above = x[c + plane];
        y[c] = sin(below) * here * above;
    }
    c += plane;
    below = here;
    here = above;
    y[c] = below * here * here;
}
