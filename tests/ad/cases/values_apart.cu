// Variables that change in straight line: their values have variables of their own, so that loops
// need no tapes for them; where control may go another way, or other names lead there, they do not.
// g2o-verify: chain<<<2, 32>>>(x = [n * m], y = [n], n = 50, m = 3)
// g2o-verify: declared_first<<<2, 32>>>(x = [n * m], y = [n], n = 50, m = 3)
// g2o-verify: chosen<<<2, 32>>>(x = [n + m], y = [n], n = 50, m = 4, low = 0.1)
// g2o-verify: read_behind<<<2, 32>>>(x = [n + m], y = [n], n = 50, m = 4)
// g2o-verify: carried<<<2, 32>>>(x = [n + m], y = [n], n = 50, m = 4)
// g2o-verify: clamped_places<<<2, 32>>>(x = [n], y = [n], n = 50, reach = 3)
// g2o-verify: of_two_kinds<<<2, 32>>>(x = [n], z = [n], y = [n], n = 50, m = 3)
// g2o-verify: of_any_kind<double><<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: of_any_kind<float><<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: in_branches<<<2, 32>>>(x = [n + m], y = [n], n = 50, m = 4)
// g2o-verify: around_barriers<<<2, 16>>>(x = [n], y = [n], n = 32)
// g2o-verify: with_another_name<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)
// g2o-verify: counted_in_conditions<<<2, 32>>>(x = [n + m], y = [n], n = 50, m = 4)
// g2o-verify: left_early<<<2, 32>>>(x = [n + m], y = [n], n = 50, m = 4)
// g2o-verify: signs_apart<<<2, 32>>>(x = [n], y = [n], n = 50, m = 3)

__global__ void chain(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        double v = x[i * m + j];
        v = v - 0.3; // around the middle
        v *= v;
        double w = v + 1.0;
        w = sqrt(w);
        w /= v + 2.0;
        sum += w * w;
    }
    y[i] = sum;
}

__global__ void declared_first(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j;
    double v, w, sum;
    if (i >= n)
        return;
    sum = 0.0;
    for (j = 0; j < m; ++j) {
        v = x[i * m + j];
        w = v * v + 1.0;
        w = log(w);
        w = w * v;
        sum += w * w;
    }
    for (j = m - 1; j > 0; --j) {
        v = x[i * m + j] * sum;
        v = sin(v);
        w = v * v;
        w = w * w + v;
        sum += 0.1 * w;
    }
    y[i] = sum;
}

__global__ void chosen(const double *x, double *y, int n, int m, double low)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        double v = x[i + j];
        if (v < low)
            v = low;
        v = v * v;
        if (v > 0.5)
            v = exp(v) * v;
        else
            v = 3 * v;
        if (v > 1)
            v = 1;
        double u;
        if (j % 2 == 0)
            u = v * x[i];
        else
            u = cos(v);
        u = u * u;
        sum += v * u;
    }
    y[i] = sum;
}

// The last value is read behind the loop, the ones before are not.
__global__ void read_behind(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 0.5, sum = 0.0;
    for (int j = 0; j < m; ++j) {
        v = x[i + j];
        v = v * v;
        v = sin(v) + v * x[i];
        sum += v * v;
    }
    y[i] = sum * v;
}

// What an iteration leaves is what the next one starts from.
__global__ void carried(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int j = 0; j < m; ++j) {
        v = v * x[i + j];
        v = cos(v) + 0.5;
        v = v * v;
    }
    y[i] = v;
}

__global__ void clamped_places(const double *x, double *y, int n, int reach)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = -reach; j <= reach; ++j) {
        int k = i + j;
        if (k < 0)
            k = 0;
        if (k >= n)
            k = n - 1;
        sum += x[k] * x[k] * x[i];
        k = (k * 7) % n;
        sum += sin(x[k]);
    }
    y[i] = sum;
}

__global__ void of_two_kinds(const double *x, const float *z, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 1; j <= m; ++j) {
        float narrow = z[i];
        narrow *= x[i];
        narrow = narrow * narrow;
        double wide = narrow;
        if (wide > 0.25)
            wide = z[i] * j;
        wide = wide * wide;
        int whole = 3.7f + j;
        whole += 0.6f;
        if (whole > 5)
            whole = z[i] > 0.0f ? 4.9f + j : 3.2f + j;
        wide *= whole;
        sum += wide * narrow;
    }
    y[i] = sum;
}

template <class T> __global__ void of_any_kind(const T *x, T *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T sum = 0;
    for (int j = 0; j < m; ++j) {
        T v = x[i];
        v = v * v;
        v += x[i] * j;
        if (v > T(1))
            v = T(1) + v * T(0.5);
        auto w = v * v;
        w = w * v;
        sum += w;
    }
    y[i] = sum;
}

__global__ void in_branches(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = 1.0;
    a = a * a;
    for (int j = 0; j < m; ++j) {
        if (x[i + j] > 0.5) {
            a = a * x[i + j];
            a = sin(a);
            b = a * b;
            b = b * b;
        } else {
            b = b + x[i + j];
            if (b > 1.5) {
                b = b * 0.5;
                a = a * b;
            }
        }
        a = a * b + 0.1;
    }
    y[i] = a * b;
}

__global__ void around_barriers(const double *x, double *y, int n)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    double v = i < n ? x[i] : 0.0;
    v = v * v;
    s[t] = v;
    __syncthreads();
    v = v * s[15 - t];
    v = sin(v);
    __syncthreads();
    s[t] = v * v;
    __syncthreads();
    v = v + s[(t + 1) % 16];
    if (i < n)
        y[i] = v * v;
}

__device__ void squared(double &v) { v = v * v; }

__global__ void with_another_name(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int j = 0; j < m; ++j) {
        double v = x[i], w = x[i];
        double &u = v;
        double *p = &w;
        v = v * v;
        u = u * v + 1.0;
        v = v * u;
        w = w * v;
        *p = *p * w;
        w = sin(w) * *p;
        squared(w);
        w = w * v;
        sum += w;
    }
    y[i] = sum;
}

__global__ void left_early(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], last = 0.0;
    for (int j = 0; j < m; ++j) {
        last = v;
        last = last * x[i + j];
        if (last > 0.6)
            break;
        last = last * last;
        if (last < 0.05)
            continue;
        v = v * 0.9 + last;
        v = v * v;
    }
    y[i] = v * last;
}

// A choice of a number with a sign and one without has none: these two stay apart.
__global__ void signs_apart(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (unsigned j = 0; j < unsigned(m); ++j) {
        long long wide = 5;
        if (j > 1)
            wide = j;
        else
            wide = -1;
        wide = wide * 3;
        double real = 0.1f;
        if (j == 1)
            real = 16777217;
        else
            real = 0.5f;
        real = real * x[i];
        sum += wide * x[i] * x[i] + real;
    }
    y[i] = sum;
}

__global__ void counted_in_conditions(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int j = 0; j < m; ++j) {
        int c = j + i;
        v = v * x[i + c % 2];
        c = (i + 2 * c) % 7;
        int k = 0;
        do {
            v = v * x[i + c % 3];
            v = sin(v) + 0.1;
        } while (++k < 3 && x[i] > 0.1);
        v = v * x[i + (c + k) % 3];
        if (++c % 3 == 0 || x[i + j] > 0.5)
            v = v * x[i + c % 3] + v;
        v = v * x[i + (c + 1) % 3];
    }
    y[i] = v;
}
