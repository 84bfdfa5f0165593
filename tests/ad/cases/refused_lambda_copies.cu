// Lambdas that have copied a variable, which changes before they are called: by its name, under
// another one, or in part.
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
    y[i] = u + shifted(x[i]); // refused: has copied 'a'
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
    y[i] = f(x[i]) + v; // refused: has copied 'v'
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
    y[i] = f(x[i]) + v; // refused: has copied 'v'
}

__global__ void elements(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[2] = {x[i], 1};
    auto f = [v](double a) { return a * v[0]; };
    v[0] = v[0] * 2;
    y[i] = f(x[i]) + v[0]; // refused: has copied 'v'
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
    y[i] = f(x[i]) + v.a; // refused: has copied 'v'
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
        s += f(x[i]) + v; // refused: has copied 'v'
        *p = *p + 1;
    }
    y[i] = s;
}
