// A lambda that refers to a variable that changes, and objects that are called in a template.
// g2o-verify: lambdas<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: fold<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: integrate<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: forwarded<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: activate<<<2, 16>>>(n = 30, x = [n : -1 .. 1], bias = [5])
__global__ void lambdas(const double *x, double *y, double weight, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double scale = weight * x[i];
    auto scaled = [&](double v) { return scale * v * v; };
    double first = scaled(x[0]);
    scale = sin(scale);
    y[i] = first * scaled(x[1]);
}

struct Sum {
    __device__ double operator()(double a, double b) const { return a + b; }
};

struct Product {
    double weight;
    __device__ double operator()(double a, double b) const { return weight * a * b; }
};

template <class Operation>
__device__ double folded(const double *x, int n, double start, Operation operation)
{
    double value = start;
    for (int j = 0; j < n; ++j)
        value = operation(value, x[j]);
    return value;
}

__global__ void fold(const double *x, double *y, double weight, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Product product = {weight};
    y[i] = folded(x, 3, x[i], Sum()) * folded(x + 3, 3, 1.0, product);
}

template <typename T>
struct Smooth {
    __device__ T operator()(const T &x) const { return x / (T(1) + exp(-x)); }
};

template <typename T, class Function>
__device__ void apply(T *x, const T *bias, int i, Function function)
{
    x[i] = function(x[i] + bias[i % 5]);
}

// A reference to a number that has only just been computed, and an object made in the call.
__global__ void activate(double *x, const double *bias, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        apply(x, bias, i, Smooth<double>());
}

struct Decay {
    double rate;
    __device__ Decay(double rate) : rate(rate) {}
    __device__ double operator()(double t) const { return exp(-rate * t); }
};

struct Window {
    double low, high;
    __device__ double operator()(double t) const { return (t - low) * (high - t); }
};

template <class Function>
__device__ double integral(Function f, double a, double b, int pieces)
{
    double sum = 0.0, h = (b - a) / pieces;
    for (int k = 0; k < pieces; ++k)
        sum += f(a + (k + 0.5) * h);
    return sum * h;
}

// Objects that are made of active numbers, by braces and by a constructor with one parameter.
__global__ void integrate(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = integral(Window{x[i], 2.0 * x[i]}, 0.1, x[i], 5) + integral(Decay(x[i]), 0.0, 1.0, 4);
}

template <class Function> __device__ double applied(Function &&f, double v) { return f(v) * f.low; }

template <class Number> __device__ void raised(Number &&v, double by) { v += by * v; }

// Objects and numbers that a template takes as they are.
__global__ void forwarded(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Window own{x[i], 2.0 * x[i]};
    double sum = applied(own, 0.3) + applied(Window{0.5 * x[i], x[i]}, x[i]);
    raised(own.low, x[i]);
    raised(sum, own.low);
    y[i] = sum * applied(own, x[i]);
}
