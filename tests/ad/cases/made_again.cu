// What several statements of an iteration make is made again where that is what it was; where its
// sources are gone, or it was something else at the time, it is kept.
// g2o-verify: weights<<<2, 32>>>(x = [3 * n], t = [8 * n], y = [n], n = 40)
// g2o-verify: rows<<<2, 32>>>(a = [4 * n], b = [4 * n], y = [4 * n], n = 40, m = 3)
// g2o-verify: between<<<2, 32>>>(x = [n + m], y = [n], n = 40, m = 4)
// g2o-verify: sources_gone<<<2, 32>>>(x = [n * m], y = [n], n = 40, m = 4)
// g2o-verify: branches<<<2, 32>>>(x = [n + m + 3], y = [n], n = 40, m = 5)
// g2o-verify: whole_numbers<<<2, 32>>>(x = [n + 9], y = [n], n = 40, m = 4)
// g2o-verify: carried<<<2, 32>>>(x = [n + m], y = [n], n = 40, m = 4)
// g2o-verify: inner_names<<<2, 32>>>(x = [n + m + 4], y = [n], n = 40, m = 4)

__global__ void weights(const double *x, const double *t, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1.0;
        for (int d = 0; d < 3; ++d) {
            if (corner & (1 << d))
                weight *= x[3 * i + d];
            else
                weight *= 1.0 - x[3 * i + d];
        }
        for (int f = 0; f < 2; ++f)
            sum += weight * t[8 * i + corner] * (f + 1);
    }
    y[i] = sum;
}

__global__ void rows(const double *a, const double *b, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    for (int d = 0; d < m; ++d) {
        double left[4], right[4];
        for (int k = 0; k < 4; ++k) {
            left[k] = a[(4 * i + k + d) % (4 * n)];
            right[k] = b[(4 * i + 2 * k + d) % (4 * n)];
        }
        for (int k = 0; k < 4; ++k)
            for (int l = 0; l < 4; ++l)
                sums[k] += left[k] * right[l] * right[l];
    }
    for (int k = 0; k < 4; ++k)
        y[4 * i + k] = sums[k];
}

// The value is asked for before it is what it is in the end, and then.
__global__ void between(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        double v = x[i + j];
        for (int k = 0; k < 3; ++k)
            v = v * 0.9 + 0.1 * k;
        sum += v * v;
        if (x[i] > 0.2)
            v = sin(v) * x[i];
        sum += v * v * v;
        v *= v;
        sum += v * sum;
    }
    y[i] = sum;
}

__global__ void sources_gone(double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        double p = 1.0;
        for (int k = 0; k < 3; ++k)
            p *= x[i * m + (j + k) % m];
        sum += p * p;
        x[i * m + j] = p;
    }
    y[i] = sum;
}

__global__ void branches(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0, last = 1.0;
    for (int j = 0; j < m; ++j) {
        double a = 0.0;
        double b;
        if (j % 2 == 0) {
            a = x[i + j];
            b = x[i + j + 1] * 2.0;
        } else if (last > 0.5) {
            b = x[i + j + 2];
        } else {
            a = x[i];
            b = 3.0;
        }
        last = a * b + 0.3 * last;
        sum += last * b * b;
    }
    y[i] = sum;
}

__global__ void whole_numbers(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int j = 0; j < m; ++j) {
        int at = 0.9f + j;
        at += 0.6f;
        if (++at % 3 == 0)
            at = 2.7f;
        bool odd = at % 2;
        odd = odd && x[i] > 0.0;
        v = v * x[i + at] + (odd ? v * v : 0.1);
    }
    y[i] = v;
}

// What an iteration leaves for the next one.
__global__ void carried(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double state[2] = {0.5, x[i]};
    for (int j = 0; j < m; ++j) {
        double next[2];
        for (int s = 0; s < 2; ++s)
            next[s] = state[s] * state[1 - s] + x[i + j];
        for (int s = 0; s < 2; ++s)
            state[s] = next[s] * next[s] * 0.5;
    }
    y[i] = state[0] - state[1];
}

__global__ void inner_names(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        double w = 0.0;
        for (int k = 0; k < 4; ++k) {
            double x2 = x[i + k] * x[i + j];
            int j = k + 1;
            w += x2 * j;
        }
        {
            double w2 = w * w;
            double k = w2 + x[i];
            sum += w * k * w2;
        }
    }
    y[i] = sum;
}
