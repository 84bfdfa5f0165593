// Loops that only choose: the last iteration that stores has a derivative. Those that do more than
// that keep what their conditions were.
// g2o-verify: over_bins<<<2, 32>>>(x = [n * m * m], y = [n], n = 40, m = 4)
// g2o-verify: with_its_load<<<2, 32>>>(x = [n + m], w = [n + m], y = [n], n = 40, m = 6)
// g2o-verify: of_channels<<<2, 32>>>(x = [n * m * 3], y = [n * 3], n = 40, m = 5)
// g2o-verify: nearest<<<2, 32>>>(a = [3 * n], b = [3 * m], y = [n], n = 40, m = 7)
// g2o-verify: from_the_first<<<2, 32>>>(x = [n + m], y = [n], n = 40, m = 6)
// g2o-verify: never<<<2, 32>>>(x = [n], y = [n], n = 40)
// g2o-verify: on_top<<<2, 32>>>(x = [n + m], y = [n], n = 40, m = 6)
// g2o-verify: read_inside<<<2, 32>>>(x = [n + m], y = [n], n = 40, m = 6)
// g2o-verify: where_it_walks<<<2, 32>>>(x = [3 * n + 3 * m], y = [n], n = 40, m = 6)
// g2o-verify: overwritten_source<<<2, 32>>>(x = [n * m], y = [n], n = 40, m = 6)
// g2o-verify: twice<<<2, 32>>>(x = [n + m], y = [n], n = 40, m = 6)

__global__ void over_bins(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = -1e30;
    int where = -1;
    for (int h = 0; h < m; ++h)
        for (int w = m - 1; w >= 0; --w) {
            int place = (i * m + h) * m + w;
            if (x[place] > largest) {
                largest = x[place];
                where = place;
            }
        }
    y[i] = where >= 0 ? largest * largest : 0.0;
}

__global__ void with_its_load(const double *x, const double *w, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double best = 1e30, load = 0.0;
    for (int j = 0; j < m; ++j) {
        double v = sin(x[i + j]) * w[i];
        if (v < best) {
            best = v;
            load = w[i + j] * v;
        }
    }
    y[i] = best + 2.0 * load;
}

__global__ void of_channels(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int c = 0; c < 3; ++c) {
        double least = 1e30;
        for (int j = 0; j < m; ++j)
            if (x[(i * 3 + c) * m + j] < least)
                least = x[(i * 3 + c) * m + j];
        y[i * 3 + c] = least * (c + 1);
    }
}

__global__ void nearest(const double *a, const double *b, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double best = 1e30;
    for (int j = 0; j < m; ++j) {
        double dx = a[3 * i] - b[3 * j], dy = a[3 * i + 1] - b[3 * j + 1], dz = a[3 * i + 2] - b[3 * j + 2];
        double d = dx * dx + dy * dy + dz * dz;
        if (d < best)
            best = d;
    }
    y[i] = sqrt(best);
}

__global__ void from_the_first(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = x[i] * 2.0; // often the largest already
    for (int j = 1; j < m; ++j) {
        if (x[i + j] > largest)
            largest = x[i + j];
    }
    y[i] = largest;
}

__global__ void never(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double chosen = x[i] * 3.0;
    for (int j = 0; j < 4; ++j)
        if (x[i] > 1e20)
            chosen = x[i] * j;
    y[i] = chosen;
}

// What is stored needs what was stored before.
__global__ void on_top(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = 0.1, sum = 0.0;
    for (int j = 0; j < m; ++j)
        if (x[i + j] > largest) {
            sum = sum * 0.5 + x[i + j];
            largest = x[i + j];
        }
    y[i] = largest * sum;
}

// What has been chosen so far is used in every iteration.
__global__ void read_inside(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = 0.1, sum = 0.0;
    for (int j = 0; j < m; ++j) {
        if (x[i + j] > largest)
            largest = x[i + j];
        sum += largest * x[i + j];
    }
    y[i] = sum;
}

__global__ void where_it_walks(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = -1e30;
    int at = i;
    for (int j = 0; j < m; ++j) {
        at += j % 3;
        if (x[at] > largest)
            largest = x[at] * x[i];
    }
    y[i] = largest;
}

__global__ void overwritten_source(double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double best = -1e30;
    for (int j = 0; j < m; ++j)
        if (x[i * m + j] > best)
            best = x[i * m + j] * x[i * m + j];
    for (int j = 0; j < m; ++j)
        x[i * m + j] = x[i * m + j] * best;
    y[i] = best;
}

__global__ void twice(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double largest = -1e30;
    for (int j = 0; j < m; ++j)
        if (x[i + j] > largest)
            largest = x[i + j];
    double second = -1e30;
    for (int j = 0; j < m; ++j)
        if (x[i + j] > second && x[i + j] < largest)
            second = x[i + j] * largest;
    y[i] = largest + 3.0 * second;
}
