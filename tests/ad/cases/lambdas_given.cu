// Lambdas that are handed to device function templates: by value, by reference, as they are.
// g2o-verify: composed<<<2, 16>>>(n = 30, x = [n], y = [n], weight = 0.7)
// g2o-verify: several<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: referred<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: in_loops<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: over_shared<<<2, 16>>>(x = [32], y = [32])
template <typename F> __device__ double twice(F f, double v) { return f(f(v)); }

template <typename F, typename G> __device__ double both(const F &f, const G &g, double v)
{
    double b = 2.0 * v; // a name that a lambda has, too
    return f(b) * g(v) + g(f(b));
}

template <typename F> __device__ void each(F &&f, int count)
{
    for (int k = 0; k < count; ++k)
        f(k);
}

template <typename F> __device__ double integral(F f, double to)
{
    double sum = 0.0;
    for (int k = 0; k < 6; ++k)
        sum += f((k + 0.5) * to / 6);
    return sum * to / 6;
}

// Its lambda has a name that the kernel gives to something else.
__device__ double with_own_names(double v, double w)
{
    double b = v * v;
    auto scaled = [=](double u) { return b * u - v * w; };
    return scaled(v) + scaled(2.0);
}

__global__ void composed(const double *x, double *y, double weight, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double b = x[i] * 2.0;
    auto blend = [=](double v) { return weight * b + v * v; };
    double v = x[(i + 1) % n], w = 0.3;
    y[i] = twice(blend, x[i]) + twice([=](double v) { return v * b; }, weight) +
           with_own_names(w, v) * with_own_names(b, x[i]) + v;
}

__global__ void several(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double b = sin(x[i]);
    const auto lift = [b](double v) { return v + b * v; };
    y[i] = both(lift, [&](double v) { return exp(-v) * b; }, x[i]) +
           both([](double v) { return v * v; }, lift, b);
}

// What it refers to changes.
__global__ void referred(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0, factor = x[i];
    each([&](int k) { sum += factor * x[(i + k) % n]; factor *= 0.5; }, 4);
    auto more = [&](int k) { sum *= 1.0 + k * factor; };
    each(more, 2);
    y[i] = sum;
}

__global__ void in_loops(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double total = 0.0;
    auto sine = [](double v) { return sin(v); };
    for (int k = 1; k <= 3; ++k) {
        const double rate = x[i] * k;
        total += integral([=](double t) { return exp(-rate * t); }, x[(i + 1) % n]);
        total += integral([=](double t) { return rate * t * t; }, twice(sine, rate));
    }
    y[i] = total;
}

__global__ void over_shared(const double *x, double *y)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = twice([&](double v) { return v * s[15 - t]; }, x[i]);
}
