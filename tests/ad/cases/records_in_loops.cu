// Structures that live in loops: shadows that are used member by member stand apart, those that are
// handed on whole do not, and copies of structures are made where both are still wanted.
// g2o-verify: rotations<<<2, 8>>>(n = 13, turns = 4, angle = [turns], x = [2 * n], y = [2 * n])
// g2o-verify: kept_copies<<<2, 8>>>(n = 13, x = [2 * n], y = [n])
// g2o-verify: sums_of_pairs<<<1, 8>>>(n = 7, count = 5, pair = [count], x = [n], y = [n])
struct Pair {
    double a, b;
};

__device__ Pair turned(Pair p, double angle)
{
    Pair result;
    result.a = cos(angle) * p.a - sin(angle) * p.b;
    result.b = sin(angle) * p.a + cos(angle) * p.b;
    return result;
}

__global__ void rotations(const double *angle, const double *x, double *y, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = {x[2 * i], x[2 * i + 1]};
    for (int k = 0; k < turns; ++k) {
        Pair q = turned(p, angle[k]);
        if (q.a > 0.2)
            q.b = q.b * q.a;
        p = q;
    }
    y[2 * i] = p.a * p.b;
    y[2 * i + 1] = p.b;
}

__global__ void kept_copies(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = {x[2 * i], x[2 * i + 1]};
    Pair before = p;
    p.a = p.a * p.b;
    Pair after = p;
    p.b = after.a * before.a;
    y[i] = p.a * p.b + before.a * before.b + after.b;
}

__global__ void sums_of_pairs(const Pair *pair, const double *x, double *y, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair sum = {0.0, 0.0};
    for (int k = count - 1; k >= 0; --k) {
        Pair one = pair[k];
        Pair product = {one.a * x[i], one.b * x[i] * x[i]};
        sum.a += product.a;
        sum.b += product.b;
    }
    y[i] = sum.a * sum.b;
}
