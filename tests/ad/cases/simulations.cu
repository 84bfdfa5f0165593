// Simulations: particles in cells, waves, shallow water, multigrid, tridiagonal systems, transforms,
// integration in time, prices.

// g2o-verify: leapfrog<<<2, 8>>>(n = 13, steps = 5, h = 0.05, x = [n], v = [n], k = [n])
__global__ void leapfrog(double *x, double *v, const double *k, double h, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double q = x[i], p = v[i] - 0.5 * h * k[i] * sin(q);
    for (int s = 0; s < steps; ++s) {
        q += h * p;
        p -= h * k[i] * sin(q) + 0.01 * p * fabs(p);
    }
    x[i] = q;
    v[i] = p + 0.5 * h * k[i] * sin(q);
}

// g2o-verify: density<<<2, 8>>>(n = 15, first = [5 : i * 4], x = [n], mass = [n], rho = [n], reach = 0.4)
__global__ void density(const double *x, const double *mass, const int *first, double *rho,
                        double reach, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int cell = i / 4;
    double sum = 0.0;
    for (int c = max(cell - 1, 0); c <= min(cell + 1, 3); ++c)
        for (int j = first[c]; j < min(first[c + 1], n); ++j) {
            double r = fabs(x[i] - x[j]) / reach;
            if (j == i || r >= 2.0)
                continue;
            double w = r < 1.0 ? 1.0 - 1.5 * r * r + 0.75 * r * r * r : 0.25 * pow(2.0 - r, 3.0);
            sum += mass[j] * w;
        }
    rho[i] = sum + mass[i];
}

// g2o-verify: field<<<(2, 2), (4, 4)>>>(w = 7, h = 6, c = 0.3, ez = [w * h], hx = [w * h], hy = [w * h])
__global__ void field(const double *ez, double *hx, double *hy, double c, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w - 1 && y < h - 1) {
        hx[y * w + x] -= c * (ez[(y + 1) * w + x] - ez[y * w + x]);
        hy[y * w + x] += c * (ez[y * w + x + 1] - ez[y * w + x]);
    }
}

// g2o-verify: water<<<2, 8>>>(n = 14, dt = 0.01, h = [n], m = [n], h2 = [n], m2 = [n])
__global__ void water(const double *h, const double *m, double *h2, double *m2, double dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double flux[2][2];
    for (int side = 0; side < 2; ++side) {
        int a = (i + side + n - 1) % n, b = (i + side) % n;
        double ua = m[a] / h[a], ub = m[b] / h[b];
        double speed = fmax(fabs(ua) + sqrt(9.8 * h[a]), fabs(ub) + sqrt(9.8 * h[b]));
        flux[side][0] = 0.5 * (m[a] + m[b]) - 0.5 * speed * (h[b] - h[a]);
        flux[side][1] = 0.5 * (m[a] * ua + 4.9 * h[a] * h[a] + m[b] * ub + 4.9 * h[b] * h[b]) -
                        0.5 * speed * (m[b] - m[a]);
    }
    h2[i] = h[i] - dt * (flux[1][0] - flux[0][0]);
    m2[i] = m[i] - dt * (flux[1][1] - flux[0][1]);
}

// g2o-verify: restricted<<<2, 4>>>(n = 7, fine = [2 * n + 1], coarse = [n])
__global__ void restricted(const double *fine, double *coarse, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        coarse[i] = 0.25 * fine[2 * i] + 0.5 * fine[2 * i + 1] + 0.25 * fine[2 * i + 2];
}

// g2o-verify: prolonged<<<2, 8>>>(n = 7, coarse = [n], fine = [2 * n + 1])
__global__ void prolonged(const double *coarse, double *fine, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 2 * n)
        return;
    double left = i / 2 - 1 >= 0 ? coarse[i / 2 - 1] : 0.0, right = i / 2 < n ? coarse[i / 2] : 0.0;
    fine[i] += i % 2 ? coarse[i / 2] : 0.5 * (left + right);
}

// g2o-verify: cyclic_reduction<<<2, 8>>>(a = [16 : 0.1 .. 0.3], b = [16 : 1 .. 2], c = [16 : 0.1 .. 0.3], d = [16], x = [16])
__global__ void cyclic_reduction(const double *a, const double *b, const double *c, const double *d,
                                 double *x)
{
    __shared__ double sa[8], sb[8], sc[8], sd[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    sa[t] = t > 0 ? a[i] : 0.0;
    sb[t] = b[i];
    sc[t] = t < 7 ? c[i] : 0.0;
    sd[t] = d[i];
    __syncthreads();
    for (int s = 1; s < 8; s *= 2) {
        double na = 0.0, nb = sb[t], nc = 0.0, nd = sd[t];
        if (t >= s) {
            double k = sa[t] / sb[t - s];
            na = -sa[t - s] * k;
            nb -= sc[t - s] * k;
            nd -= sd[t - s] * k;
        }
        if (t + s < 8) {
            double k = sc[t] / sb[t + s];
            nc = -sc[t + s] * k;
            nb -= sa[t + s] * k;
            nd -= sd[t + s] * k;
        }
        __syncthreads();
        sa[t] = na;
        sb[t] = nb;
        sc[t] = nc;
        sd[t] = nd;
        __syncthreads();
    }
    x[i] = sd[t] / sb[t];
}

// g2o-verify: butterflies<<<2, 4>>>(z = [16], out = [16])
__global__ void butterflies(const double2 *z, double2 *out)
{
    __shared__ double2 s[8];
    int t = threadIdx.x;
    for (int k = t; k < 8; k += 4)
        s[(k & 1) << 2 | (k & 2) | (k >> 2)] = z[blockIdx.x * 8 + k];
    __syncthreads();
    for (int half = 1; half < 8; half <<= 1) {
        int k = t / half * 2 * half + t % half;
        double si, co;
        sincospi(-double(t % half) / half, &si, &co);
        double2 u = s[k], w = s[k + half];
        double2 v = make_double2(co * w.x - si * w.y, co * w.y + si * w.x);
        s[k] = make_double2(u.x + v.x, u.y + v.y);
        s[k + half] = make_double2(u.x - v.x, u.y - v.y);
        __syncthreads();
    }
    for (int k = t; k < 8; k += 4)
        out[blockIdx.x * 8 + k] = s[k];
}

// g2o-verify: lorenz<<<2, 8>>>(n = 12, steps = 6, state = [3 * n], rates = [3])
__device__ void slope(const double *u, const double *rates, double *f)
{
    f[0] = rates[0] * (u[1] - u[0]);
    f[1] = u[0] * (rates[1] - u[2]) - u[1];
    f[2] = u[0] * u[1] - rates[2] * u[2];
}

__global__ void lorenz(double *state, const double *rates, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double u[3], k[4][3], w[3];
    for (int d = 0; d < 3; ++d)
        u[d] = state[3 * i + d];
    for (int s = 0; s < steps; ++s) {
        const double part[4] = {0.0, 0.5, 0.5, 1.0};
        for (int stage = 0; stage < 4; ++stage) {
            for (int d = 0; d < 3; ++d)
                w[d] = u[d] + (stage > 0 ? 0.02 * part[stage] * k[stage - 1][d] : 0.0);
            slope(w, rates, k[stage]);
        }
        for (int d = 0; d < 3; ++d)
            u[d] += 0.02 / 6.0 * (k[0][d] + 2.0 * (k[1][d] + k[2][d]) + k[3][d]);
    }
    for (int d = 0; d < 3; ++d)
        state[3 * i + d] = u[d];
}

// g2o-verify: asian_option<<<2, 8>>>(paths = 14, steps = 6, noise = [14 * 6 : -1 .. 1], s0 = 1.1, rate = 0.03, sigma = 0.2, strike = 1.0, price = [1])
__global__ void asian_option(const double *noise, double s0, double rate, double sigma,
                             double strike, double *price, int paths, int steps)
{
    __shared__ double sum[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double pay = 0.0;
    if (i < paths) {
        double s = s0, mean = 0.0, dt = 1.0 / steps;
        for (int k = 0; k < steps; ++k) {
            double z = noise[i * steps + k];
            s *= exp((rate - 0.5 * sigma * sigma) * dt + sigma * sqrt(dt) * z);
            mean += s / steps;
        }
        pay = fmax(mean - strike, 0.0) * exp(-rate);
    }
    sum[threadIdx.x] = pay;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            sum[threadIdx.x] += sum[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(price, sum[0] / paths);
}

// g2o-verify: binomial_tree<<<3, 9>>>(s0 = [3 : 0.9 .. 1.2], sigma = [3 : 0.1 .. 0.3], value = [3], strike = 1.0)
__global__ void binomial_tree(const double *s0, const double *sigma, double *value, double strike)
{
    __shared__ double v[9];
    int t = threadIdx.x, o = blockIdx.x;
    double up = exp(sigma[o] * 0.35), p = (1.004 - 1.0 / up) / (up - 1.0 / up);
    v[t] = fmax(strike - s0[o] * pow(up, 2.0 * t - 8.0), 0.0);
    __syncthreads();
    for (int step = 7; step >= 0; --step) {
        double next = 0.0;
        if (t <= step)
            next = fmax(strike - s0[o] * pow(up, 2.0 * t - step),
                        0.996 * (p * v[t + 1] + (1.0 - p) * v[t]));
        __syncthreads();
        if (t <= step)
            v[t] = next;
        __syncthreads();
    }
    if (t == 0)
        value[o] = v[0];
}
