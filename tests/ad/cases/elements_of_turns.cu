// Small arrays of which the turns of a loop have an element each: their shadows start there, if the
// loop goes through all of them and nothing else happens first.
// g2o-verify: all_elements<<<2, 4>>>(n = 6, x = [5 * n], y = [5 * n])
// g2o-verify: most_elements<<<2, 4>>>(n = 6, x = [5 * n], y = [5 * n])
// g2o-verify: with_a_way_out<<<2, 4>>>(n = 6, x = [5 * n : -1 .. 1], y = [5 * n])
// g2o-verify: of_the_turn_before<<<2, 4>>>(n = 6, x = [5 * n], y = [5 * n])
// g2o-verify: by_a_pointer<<<2, 4>>>(n = 6, x = [5 * n], y = [5 * n])
// g2o-verify: in_a_loop<<<2, 4>>>(n = 6, x = [5 * n], y = [5 * n], turns = 3)
#define N 5

__global__ void all_elements(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i] * x[i];
        sum += f[q] * f[q];
    }
    for (int q = 0; q < N; ++q)
        y[q * n + i] = sum * f[q] - 0.5 * sin(f[q]);
}

__global__ void most_elements(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i] * x[i];
        sum += f[q] * f[q];
    }
    for (int q = 1; q < N; ++q)
        y[q * n + i] = sum * f[q];
    y[i] = sum;
}

__global__ void with_a_way_out(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N], sum = 0.0;
    for (int q = 0; q < N; ++q) {
        f[q] = x[q * n + i] * x[i];
        sum += f[q] * f[q];
    }
    for (int q = 0; q < N; ++q) {
        if (x[q * n + i] > 0.5)
            break;
        y[q * n + i] = sum * f[q];
    }
}

__global__ void of_the_turn_before(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N];
    for (int q = 0; q < N; ++q)
        f[q] = x[q * n + i] * x[i];
    for (int q = 0; q < N; ++q)
        y[q * n + i] = q > 0 ? f[q] * f[q - 1] : f[q];
}

__global__ void by_a_pointer(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N];
    for (int q = 0; q < N; ++q)
        f[q] = x[q * n + i] * x[i];
    double *last = &f[N - 1];
    for (int q = 0; q < N; ++q)
        y[q * n + i] = f[q] * f[q] + *last;
}

__global__ void in_a_loop(const double *x, double *y, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double f[N];
    for (int q = 0; q < N; ++q)
        f[q] = x[q * n + i];
    for (int turn = 0; turn < turns; ++turn)
        for (int q = 0; q < N; ++q)
            f[q] = 0.9 * sin(f[q]) + 0.1 * x[i];
    for (int q = 0; q < N; ++q)
        y[q * n + i] = f[q];
}
