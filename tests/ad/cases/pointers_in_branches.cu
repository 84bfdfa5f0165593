// Pointers that lead to one place of an array or another.
// g2o-verify: one_or_other<<<2, 16>>>(n = 30, x = [2 * n], y = [n])
// g2o-verify: parts_of_one<<<2, 16>>>(n = 30, x = [2 * n], y = [2 * n])
// g2o-verify: moved_in_branch<<<2, 16>>>(n = 30, x = [n + 3], y = [n])
// g2o-verify: chosen_place<<<2, 16>>>(n = 30, x = [2 * n], y = [n])
// g2o-verify: chosen_array<<<2, 16>>>(n = 30, x = [n], z = [n], y = [n])
// g2o-verify: place_of_turn<<<2, 8>>>(n = 11, k = 4, y = [2 * 11 * 4])
// g2o-verify: places_of_two<<<2, 16>>>(n = 30, x = [n + 3], z = [n + 3], y = [n])
__global__ void one_or_other(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p;
    if (i % 2)
        p = x + i;
    else
        p = x + n;
    y[i] = p[0] * p[1] * x[i];
}

__global__ void parts_of_one(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *q = y + i;
    const double *p = x;
    if (i % 3 == 0)
        q = &y[n + i];
    if (i % 2 == 0) {
        p = x + i;
        for (int k = 0; k < 2; ++k)
            *q += p[k] * p[k];
    } else if (i == 7) {
        p += 3;
    }
    *q *= p[0];
}

__global__ void moved_in_branch(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p = x + i;
    if (i == 6)
        y[i] = x[i];
    else if (i % 4 == 1) {
        p += 3;
    }
    y[i] *= p[0];
}

__global__ void chosen_place(double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *p = x + 2 * i, *q = p + i % 2;
    if (p[0] > 1)
        q = q == p ? p + 1 : p;
    *q *= p[0] * p[1];
    if (y[i] > 1)
        q = &p[i % 2];
    y[i] *= *q;
}

__global__ void chosen_array(const double *x, const double *z, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p = x;
    if (i % 3)
        p = i % 2 ? x : z;
    const double *r = p == x ? z : p;
    y[i] *= p[i] * r[i];
    if (i == 5)
        y[i] = x[0];
    else if (i > 11) {
        p = z;
    }
    y[i] += p[0] * r[i];
}

__global__ void place_of_turn(double *y, int n, int k)
{
    y += n * k * blockIdx.x;
    double *p;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        p = y + j * k;
        for (int s = 0; s + 1 < k; ++s)
            if (p[s] < p[s + 1])
                p[s] *= p[s + 1];
    }
}

__global__ void places_of_two(const double *x, const double *z, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *p = i % 2 ? x : z + 1, *q = p;
    for (int k = 0; k < 3; ++k) {
        y[i] += p[i] * *q;
        if (k == 1)
            q = p + (int)(2 * *q);
        p = i % 3 == 0 ? x + k : q;
    }
    p += 1;
    y[i] *= p[0] * (p == q ? 2 : 3);
}
