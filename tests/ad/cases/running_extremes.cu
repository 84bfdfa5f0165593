// Extremes that a thread looks for in loops: the derivative goes to the last element that was taken,
// without a tape of who has won.
// g2o-verify: log_sums<<<2, 4>>>(x = [48], y = [8], rows = 7, cols = 6)
__global__ void log_sums(const double *x, double *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    double m = -INFINITY, sum = 0.0;
    for (int c = 0; c < cols; ++c)
        m = fmax(m, x[row * cols + c]);
    for (int c = 0; c < cols; ++c)
        sum += exp(x[row * cols + c] - m);
    y[row] = m + log(sum);
}

// Windows that may be empty, values that are worked out, a smallest one as a choice.
// g2o-verify: windows<<<2, 8>>>(x = [100], w = [3], y = [16], n = 10, reach = 1)
__global__ void windows(const double *x, const double *w, double *y, int n, int reach)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double least = 5.0, most = -1e3;
    for (int dy = i % 3; dy < n - 7; dy++)
        for (int dx = 0; dx <= reach; dx++) {
            const double v = x[(i % n + dy) % n * n + dx] * w[dx];
            least = v < least ? v : least;
            most = fmax(v, most);
        }
    y[i] = least * most;
}

// Nested loops with the thread's own limits.
// g2o-verify: pooled<<<2, 8>>>(x = [100], w = [3], y = [16], n = 10, reach = 1)
__global__ void pooled(const double *x, const double *w, double *y, int n, int reach)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double most = -1e3;
    for (int dy = i % 3; dy < n - 7; dy++)
        for (int dx = 0; dx <= reach; dx++) {
            const double v = x[(i % n + dy) % n * n + dx] * w[dx];
            if (v > 0.1)
                most = fmax(v, most);
        }
    y[i] = most < -9.0 ? 0.0 : most * most;
}

// The same variable again, with more than extremes in the loop: tapes as ever.
// g2o-verify: again<<<1, 8>>>(x = [64], y = [8], n = 8)
__global__ void again(const double *x, double *y, int n)
{
    int t = threadIdx.x;
    double m = x[t], s = 0.0;
    for (int k = 1; k < n; k++) {
        m = fmin(m, x[t + 8 * k]);
        s += m * x[t + 8 * k];
    }
    for (int k = 0; k < n; k += 3)
        m = fmax(m, x[t * 8 + k]);
    y[t] = m * s;
}
