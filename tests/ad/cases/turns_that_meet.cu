// Elements of small arrays that are not only those of one turn: what a turn has read is gone.
// g2o-verify: read_before<<<2, 4>>>(n = 6, x = [5 * n], y = [n])
// g2o-verify: written_twice<<<2, 4>>>(n = 6, x = [5 * n], y = [n])
// g2o-verify: through_a_pointer<<<2, 4>>>(n = 6, x = [5 * n], y = [n])
// g2o-verify: in_an_inner_loop<<<2, 4>>>(n = 6, x = [5 * n], y = [n], m = 3)
// g2o-verify: by_a_function<<<2, 4>>>(n = 6, x = [5 * n], y = [n])
// g2o-verify: sometimes<<<2, 4>>>(n = 6, x = [5 * n : -1 .. 1], y = [n])
// g2o-verify: two_at_a_time<<<2, 4>>>(n = 6, x = [5 * n], y = [n])
// g2o-verify: once_more<<<2, 4>>>(n = 6, x = [5 * n], y = [n], m = 3)
// g2o-verify: anew_in_each_turn<<<2, 4>>>(n = 6, x = [5 * n], y = [n], m = 3)
#define N 5

__device__ void damp(double &value, double by) { value = sin(value) * by; }

__global__ void read_before(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q)
        f[q] = x[q * n + i];
    for (int q = 0; q < N; ++q) {
        sum += f[q] * f[q];
        f[q] = sum * 0.1;
        sum += f[q] * f[q];
    }
    y[i] = sum + f[2];
}

__global__ void written_twice(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i];
        sum += f[q] * f[q];
        f[q] *= 0.5 * f[q];
    }
    for (int q = 0; q < N; ++q)
        sum += f[q];
    y[i] = sum;
}

__global__ void through_a_pointer(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    double *first = f;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i];
        sum += f[q] * f[q];
        first[0] = 0.3 * sum;
    }
    y[i] = sum + f[0];
}

__global__ void in_an_inner_loop(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i];
        for (int r = 0; r < m; ++r) {
            f[q] = sin(f[q]) + 0.1 * r;
            sum += f[q] * f[q];
        }
    }
    y[i] = sum;
}

__global__ void by_a_function(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i];
        sum += f[q] * f[q];
        damp(f[q], sum);
        sum += f[q] * f[q];
    }
    y[i] = sum;
}

__global__ void sometimes(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N] = {0.1, 0.2, 0.3, 0.4, 0.5}, sum = 0.0;
    for (int q = N - 1; q >= 0; --q) {
        if (x[q * n + i] > 0.0)
            f[q] = x[q * n + i];
        else if (q < 2)
            continue;
        sum += f[q] * f[q] * x[i];
    }
    y[i] = sum;
}

__global__ void two_at_a_time(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N + 1] = {}, sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] += x[q * n + i];
        sum += f[q] * f[q];
        f[q + 1] = 0.5 * sum;
    }
    y[i] = sum + f[N];
}

__global__ void once_more(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int r = 0; r < m; ++r)
        for (int q = 0; q < N; ++q) {
            f[q] = x[q * n + i] + 0.1 * sum;
            sum += sin(f[q]) * f[q];
        }
    y[i] = sum;
}

__global__ void anew_in_each_turn(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    for (int r = 0; r < m; ++r) {
        double f[N];
        for (int q = 0; q < N; ++q) {
            f[q] = x[q * n + i] + 0.1 * sum;
            sum += sin(f[q]) * f[q];
        }
        for (int q = 0; q < N; ++q)
            sum += f[q] * f[N - 1 - q];
    }
    y[i] = sum;
}
