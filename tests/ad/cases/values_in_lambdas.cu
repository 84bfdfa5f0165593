// Lambdas that have copied a variable, which changes before they are called: by its name, under
// another one, or in part; and lambdas with variables of their own.
// g2o-verify: copies<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: through_a_reference<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: in_a_function<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: members<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: through_a_pointer<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: kept_in_loops<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: with_its_own<<<2, 16>>>(n = 30, x = [n], y = [n], z = [n])
// g2o-verify: both_kinds<<<2, 16>>>(n = 30, x = [n], y = [n])
__global__ void copies(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    auto grow = [&](double v) {
        a += v;
        return a * v;
    };
    auto shifted = [=](double v) { return v * v + a; };
    double u = grow(a * 2);
    y[i] = u + shifted(x[i]);
}

__global__ void through_a_reference(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double &r = v;
    auto f = [v](double a) { return a * v; };
    r = r * 2;
    y[i] = f(x[i]) + v;
}

__device__ void twice(double &v) { v = v * 2; }
__global__ void in_a_function(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    auto f = [=](double a) { return a * v; };
    twice(v);
    y[i] = f(x[i]) + v;
}

struct Pt { double a, b; };
__global__ void members(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pt v = {x[i], 1};
    auto f = [v](double a) { return a * v.a; };
    v.a = v.a * 2;
    y[i] = f(x[i]) + v.a;
}

__global__ void through_a_pointer(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], s = 0;
    double *p = &v;
    auto f = [v](double a) { return a * v; };
    *p = *p * 2;
    for (int k = 0; k < 3; ++k) {
        s += f(x[i]) + v;
        *p = *p + 1;
    }
    y[i] = s;
}

template <class F> __device__ double twice_of(F f, double v) { return f(f(v)); }
__global__ void kept_in_loops(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    auto scaled = [a](double v) { return a * v + 1.0; };
    a += 1.0;
    for (int j = 0; j < 3; ++j) {
        auto wave = [a, j](double v) { return sin(a * v) * j; };
        a = wave(a) + twice_of(wave, x[i]);
    }
    y[i] = twice_of(scaled, x[i]) + a;
}

__global__ void with_its_own(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], w = 0.5;
    auto f = [=, b = a * a, &r = z[i], c = cos(a), odd = i % 2](double v) {
        r += v * c * w;
        return odd ? b * v : c;
    };
    a += 1;
    auto g = [w, b = a](double v) { return w * b * v; };
    y[i] = f(x[i] * a) + f(a) + g(a);
}

__global__ void both_kinds(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], w = 0.5 * a;
    // What it has then.
    auto f = [=, b = w * w](double v) { return a * b * v + w; };
    w = sin(w);
    a *= 2.0;
    y[i] = f(w) + a;
}
// g2o-verify: alike<<<2, 8>>>(x = [16], y = [16], a = 0.7)
__global__ void alike(const float *x, float *y, float a) {
    __shared__ float s[8];
    const int t = threadIdx.x, i = blockIdx.x * 8 + t;
    auto bent = [=](float u) { return cosf(u - 0.3f); };
    s[t] = x[i] * bent(a);
    __syncthreads();
    for (int k = 0; k < 3; ++k)
        y[i] += s[7 - t] * bent(a) * bent(a * 0.5f);
}
