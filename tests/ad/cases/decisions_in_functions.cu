// Functions that decide stay calls; calls under conditions whose arguments are read from memory.
// g2o-verify: decided<<<2, 32>>>(n = 60, x = [n], y = [n])
// g2o-verify: guarded<<<2, 32>>>(n = 60, x = [64], y = [n])
__device__ bool above(const float v, const float limit)
{
    float d = v - limit;
    return d > 0.0f;
}

__device__ int level(float v)
{
    if (v > 0.7f)
        return 3;
    return v > 0.3f ? 2 : 1;
}

__device__ float curve(float v) { return v * v * v; }

__global__ void decided(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = (i > 2 && above(x[i], 0.5f) && !above(x[i] * 2, 1.6f)) ? x[i] * x[i] : x[i];
    y[i] = a * level(x[i]);
}

__global__ void guarded(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p = i % 3 ? curve(x[i] * 2) : 0.5f * x[i];
    y[i] = x[i] > 0.5f ? curve(x[i + 1]) + p : p;
}

// What functions store into objects only where there are any: the address of a variable says that.
// g2o-verify: forces<<<1, 16>>>(n = 12, x = [12], f = [12], energy = [12])
struct Sums {
    double energy, parts[2];
};
__device__ double pair(double r, double *energy, double *squares, double *nothing)
{
    if (r == 0.0)
        return 0.0;
    const double s = 1.0 / r;
    if (energy)
        *energy += s * s;
    if (squares != nullptr && r > 0.01)
        *squares += nothing ? 2.0 : r * r;
    if (!energy)
        return 5.0;
    if (nothing)
        *nothing += s;
    return s * r * r;
}
__global__ void forces(const double *x, double *f, double *energy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Sums sums{0.0, {0.0, 0.0}};
    double all = 0.0;
    for (int j = 0; j < n; ++j)
        all += pair(x[i] - x[j], &sums.energy, &sums.parts[1], nullptr);
    f[i] = all;
    energy[i] = 0.5 * sums.energy + sums.parts[1];
}

// Choices between functions that are expressions with calls in them, which become statements.
// g2o-verify: scores<true><<<2, 32>>>(n = 50, x = [60], y = [50])
// g2o-verify: scores<false><<<2, 32>>>(n = 50, x = [60], y = [50])
__device__ double larger(double a, double b) { return a > b ? a : b; }
__device__ double added(double a, double b)
{
    if (a <= -1e9)
        return b;
    const double high = larger(a, b), low = a > b ? b : a;
    return high + log1p(exp(low - high));
}
__device__ double largest(double a, double b, double c) { return larger(larger(a, b), c); }
template <bool Largest> __device__ double joined(double a, double b, double c)
{
    return Largest ? largest(a, b, c) : added(added(a, b), c);
}
template <bool Largest> __global__ void scores(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double score = joined<Largest>(x[i], x[i + 1] * x[i], x[i + 2]) + x[i];
    bool is_large = x[i] > 0.7 && largest(x[i], score, 1.0) > 1.2;
    y[i] = is_large ? joined<Largest>(score, 1.0, x[i + 3]) : score * score;
}
