// Images: bilateral filter, recursive Gaussian, resampling, a warp, integral image, total variation.

// g2o-verify: bilateral<<<(2, 2), (4, 4)>>>(w = 7, h = 6, range = 0.4, x = [w * h], y = [w * h])
__global__ void bilateral(const double *x, double *y, double range, int w, int h)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix >= w || iy >= h)
        return;
    double centre = x[iy * w + ix], sum = 0.0, weights = 0.0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int jx = min(max(ix + dx, 0), w - 1), jy = min(max(iy + dy, 0), h - 1);
            double other = x[jy * w + jx], d = (other - centre) / range;
            double weight = exp(-0.5 * (d * d + dx * dx + dy * dy));
            sum += weight * other;
            weights += weight;
        }
    y[iy * w + ix] = sum / weights;
}

// g2o-verify: recursive<<<2, 4>>>(w = 7, h = 6, a = 0.3, x = [w * h], y = [w * h])
__global__ void recursive(const float *x, float *y, float a, int w, int h)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= w)
        return;
    const float *in = x + column;
    float *out = y + column;
    float before = *in;
    for (int row = 0; row < h; ++row) {
        before = a * *in + (1.0f - a) * before;
        *out = before;
        in += w;
        out += w;
    }
    in -= w;
    out -= w;
    before = *out;
    for (int row = h - 1; row >= 0; --row) {
        before = a * *in + (1.0f - a) * before;
        *out = 0.5f * (*out + before);
        in -= w;
        out -= w;
    }
}

// g2o-verify: resample<<<2, 8>>>(n = 12, w = 6, h = 5, x = [w * h], u = [n : 0.3 .. 3.7], v = [n : 0.3 .. 2.7], y = [n])
__global__ void resample(const double *x, const double *u, const double *v, double *y, int n, int w,
                         int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int ix = int(floor(u[i])), iy = int(floor(v[i]));
    double fx = u[i] - ix, fy = v[i] - iy, sum = 0.0;
    for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx) {
            if (ix + dx >= w || iy + dy >= h)
                continue;
            double weight = (dx ? fx : 1.0 - fx) * (dy ? fy : 1.0 - fy);
            sum += weight * x[(iy + dy) * w + ix + dx];
        }
    y[i] = sum;
}

// g2o-verify: warped<<<(2, 2), (4, 4)>>>(w = 7, h = 6, x = [w * h], y = [w * h], turn = [4])
__global__ void warped(const double *x, double *y, const double *turn, int w, int h)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix >= w || iy >= h)
        return;
    double u = 0.3 * turn[0] * ix + 0.2 * turn[1] * iy, v = 0.2 * turn[2] * ix + 0.3 * turn[3] * iy;
    u = fmin(fmax(u, 0.0), w - 1.001);
    v = fmin(fmax(v, 0.0), h - 1.001);
    int jx = u, jy = v;
    double a = u - jx, b = v - jy;
    const double *p = &x[jy * w + jx];
    atomicAdd(&y[jy * w + jx], (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[w] + a * p[w + 1]));
}

// g2o-verify: integral<<<4, 8>>>(x = [4 * 8], y = [4 * 8])
__global__ void integral(const double *x, double *y)
{
    int i = blockIdx.x * 8 + threadIdx.x;
    double sum = x[i] * x[i];
    for (int d = 1; d < 8; d *= 2) {
        double other = __shfl_up_sync(0xff, sum, d, 8);
        if (threadIdx.x >= d)
            sum += other;
    }
    y[i] = sum;
}

// g2o-verify: variation<<<(2, 2), (4, 4)>>>(w = 7, h = 6, x = [w * h], total = [1])
__global__ void variation(const double *x, double *total, int w, int h)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix + 1 < w && iy + 1 < h) {
        double dx = x[iy * w + ix + 1] - x[iy * w + ix], dy = x[(iy + 1) * w + ix] - x[iy * w + ix];
        atomicAdd(total, sqrt(dx * dx + dy * dy + 1e-4));
    }
}
