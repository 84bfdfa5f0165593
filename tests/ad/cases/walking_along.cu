// Variables that a loop steps along with its counter.
// g2o-verify: until_dark<<<2, 32>>>(s = [n * m], c = [3 * n * m], y = [n], n = 40, m = 6)
// g2o-verify: from_elsewhere<<<2, 32>>>(x = [2 * n + 2 * m], y = [n], n = 40, m = 5)
// g2o-verify: used_behind<<<2, 32>>>(x = [n + 2 * m + 2], y = [n], n = 40, m = 5)
// g2o-verify: in_the_middle<<<2, 32>>>(x = [n + 2 * m + 2], y = [n], n = 40, m = 5)
// g2o-verify: sometimes<<<2, 32>>>(x = [n + 2 * m + 2], y = [n], n = 40, m = 5)
// g2o-verify: two_ways_out<<<2, 32>>>(x = [n + 2 * m + 2], y = [n], n = 40, m = 5)
// g2o-verify: odd_steps<<<2, 32>>>(x = [4 * n], y = [n], n = 40, m = 5)
// g2o-verify: moving_start<<<2, 32>>>(x = [4 * n], y = [n], n = 40, m = 5)
// g2o-verify: around_again<<<2, 32>>>(x = [4 * n], y = [n], n = 40, m = 2)

__global__ void until_dark(const double *s, const double *c, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s += i * m;
    c += 3 * i * m;
    double light = 1.0, sum = 0.0;
    for (int k = 0; k < m; ++k) {
        double alpha = 1.0 - exp(-s[0] * s[0]);
        double weight = alpha * light;
        sum += weight * (c[0] + c[1] * c[2]);
        light *= 1.0 - alpha;
        if (light < 0.3)
            break;
        ++s;
        c += 3;
    }
    y[i] = sum * light;
}

__global__ void from_elsewhere(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    long long wide = 2 * i + 1;
    double v = 1.0;
    for (int k = 3; k < m + 3; ++k) {
        v = v * x[at] + x[wide - 1];
        at += 2;
        wide += 1;
    }
    y[i] = v;
}

__global__ void used_behind(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    double v = 1.0;
    for (int k = 0; k < m; ++k) {
        v = v * x[at];
        if (v > 0.9)
            break;
        at += 2;
    }
    y[i] = v * x[at];
}

__global__ void in_the_middle(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    double v = 1.0;
    for (int k = -2; k < m - 2; ++k) {
        v = v * x[at] + 0.5;
        ++at;
        v = v * x[at + 1] - 0.2;
        for (int q = 0; q < 2; ++q)
            v = v * x[at + q];
    }
    y[i] = v;
}

__global__ void sometimes(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i, other = i;
    double v = 1.0;
    for (int k = 0; k < m; ++k) {
        v = v * x[at] + x[other];
        if (x[i + k] > 0.5) {
            ++at;
            continue;
        }
        other += 2;
    }
    y[i] = v;
}

__global__ void two_ways_out(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    double v = 1.0;
    for (int k = 0; k < m; ++k) {
        if (x[at] > 0.95)
            break;
        v = v * x[at] + 0.1;
        if (v > 1.5)
            break;
        v = sin(v);
        at++;
    }
    y[i] = v;
}

__global__ void around_again(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    int at = i;
    for (int r = 0; r < m; ++r)
        for (int k = 0; k < 3; ++k) {
            v = v * x[at] + 0.1;
            at += 1;
        }
    y[i] = v;
}

// Steps of other types than the variable.
__global__ void odd_steps(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned back = m > 3 ? 1u : 2u;
    int stride = m - 4, at = i + 8, down = i + 8, half = i;
    long long far = i;
    double v = 1.0;
    for (int k = 0; k < m; ++k) {
        v = v * x[at] + x[down] * x[far] + x[half];
        at += stride + 1 - k % 1;
        down += 0u - back;
        half += 1.6f;
        far += stride;
    }
    y[i] = v;
}

// What the counter begins with changes meanwhile.
__global__ void moving_start(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int low = 1, at = i;
    double v = 1.0;
    for (int k = low; k < m; ++k) {
        v = v * x[at] + 0.1 * x[low];
        low += 2;
        at++;
    }
    y[i] = v;
}
