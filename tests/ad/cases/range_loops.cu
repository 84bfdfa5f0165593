// Loops over the elements of arrays, and arrays of the library.
// g2o-verify: squares<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: in_place<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: of_a_parameter<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: by_offsets<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: of_the_library<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: copied<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: triple_product<<<2, 8>>>(n = 14, x = [n * 4], y = [n])
// g2o-verify: of_structures<<<2, 8>>>(n = 14, x = [n], y = [n])
// g2o-verify: nested_rows<<<2, 8>>>(n = 14, x = [n], y = [n])
#include <array>

__global__ void squares(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[4];
    for (int k = 0; k < 4; ++k)
        v[k] = x[4 * i + k] * x[4 * i];
    double s = 0.0;
    for (double a : v)
        s += a * a;
    y[i] = s;
}

__global__ void in_place(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[4] = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]};
    for (double &a : v)
        a = a * a;
    y[i] = v[0] * v[1] + v[2] * v[3];
}

__device__ double total(const double (&v)[4])
{
    double s = 0.0;
    for (auto a : v)
        s += exp(-a);
    return s;
}
__global__ void of_a_parameter(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[4] = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]};
    y[i] = total(v);
}

__global__ void by_offsets(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int offsets[3] = {0, 2, 3};
    double s = 1.0;
    for (int o : offsets)
        s *= x[4 * i + o];
    y[i] = s;
}

__global__ void of_the_library(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    std::array<double, 4> v;
    for (int k = 0; k < 4; ++k)
        v[k] = x[4 * i + k] * x[4 * i];
    double s = 0.0;
    for (const auto &a : v)
        s += a * sin(a);
    y[i] = s;
}

__global__ void copied(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    std::array<double, 4> v = {x[4 * i], x[4 * i + 1], 2.0};
    v[3] = v[0] * v[1];
    std::array<double, 4> w = v;
    double s = 0.0;
    for (int k = 0; k < int(v.size()); ++k)
        s += v[k] * sin(w[k]);
    y[i] = s;
}

using Vec = std::array<double, 3>;
__device__ std::array<double, 3> cross(const Vec &a, const std::array<double, 3> &b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
__device__ double dot(const Vec &a, Vec b)
{
    double s = 0.0;
    for (int k = 0; k < 3; ++k)
        s += a[k] * b[k];
    return s;
}
__global__ void triple_product(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec a{x[4 * i], x[4 * i + 1], x[4 * i + 2]};
    Vec b{{x[4 * i + 1], x[4 * i + 3], 1.0}};
    Vec c = cross(a, b);
    y[i] = dot(c, a) + dot(c, c);
}

struct Pair {
    double a, b;
};

__global__ void of_structures(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    std::array<Pair, 2> v;
    v[0].a = x[i] * x[i];
    v[1].a = sin(x[i]);
    double s = 0.0;
    for (auto &p : v)
        s += p.a;
    auto w = v;
    y[i] = s + w[0].a * w[0].a;
}

__global__ void nested_rows(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double rows[2][2] = {{x[i], 1.0}, {2.0, x[i]}};
    double sum = 0.0;
    for (const auto &row : rows)
        for (double v : row)
            sum += v * v;
    y[i] = sum;
}
