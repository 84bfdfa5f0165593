// Threads on their own: straight on, in loops, under conditions.

template <class X, class A, class V, class Y>
__global__ void polynomial(A a, const X *x, Y *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        V v = a * x[i] + 0.3;
        v = v * v - x[i] * 0.7;
        y[i] = v * x[i] + a / (1.0 + v * v);
    }
}

// A long sum.
template <class X, class W, class Sum, class Y>
__global__ void weighted(const X *x, const W *w, Y *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Sum sum = 0;
    for (int k = 0; k < n; ++k)
        sum += w[k] * x[(i + k) % n];
    y[i] = sum;
}

// The difference of two large numbers.
template <class X, class Sum, class Squares, class Mean, class Y>
__global__ void variance(const X *x, Y *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Sum sum = 0;
    Squares squares = 0;
    for (int k = 0; k < n; ++k) {
        sum += x[i * n + k];
        squares += x[i * n + k] * x[i * n + k];
    }
    Mean mean = sum / n;
    y[i] = squares / n - mean * mean;
}

// Forces with a square root.
template <class X, class D, class S, class Force>
__global__ void bodies(const X *x, const X *y, const X *mass, Force *force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Force sum = 0;
    for (int j = 0; j < n; ++j) {
        D dx = x[j] - x[i];
        D dy = y[j] - y[i];
        S s = mass[j] / (sqrt(dx * dx + dy * dy + 0.05) * (dx * dx + dy * dy + 0.05));
        sum += s * dx;
    }
    force[i] = sum;
}

// The price of an option.
template <class S, class D, class N, class Price>
__global__ void option(const S *stock, const S *strike, S years, Price *price, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    D root = 0.3 * sqrt(years);
    D d1 = (log(stock[i] / strike[i]) + (0.02 + 0.045) * years) / root;
    D d2 = d1 - root;
    N n1 = 0.5 * erfc(-d1 * 0.70710678118654752);
    N n2 = 0.5 * erfc(-d2 * 0.70710678118654752);
    price[i] = stock[i] * n1 - strike[i] * exp(-0.02 * years) * n2;
}

// A curve's length, as in every paper on the subject.
template <class X, class T, class Y, class Length>
__global__ void arc(const X *start, Length *lengths, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    X step = 3.141592653589793 / steps;
    T last = start[i];
    Length length = 0;
    for (int k = 1; k <= steps; ++k) {
        Y x = start[i] + k * step;
        T now = x;
        now += sin(2.0 * x) * 0.5 + sin(4.0 * x) * 0.25 + sin(8.0 * x) * 0.125;
        length += sqrt(step * step + (now - last) * (now - last));
        last = now;
    }
    lengths[i] = length;
}

// Time steps of an oscillator, until the time is over.
template <class X, class V, class A, class Energy>
__global__ void oscillator(const X *x0, const V *v0, Energy *energy, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    X x = x0[i];
    V v = v0[i];
    int k = 0;
    while (k < steps) {
        A a = -4.0 * x - 0.1 * v + 0.5 * x * x;
        v += 0.01 * a;
        x += 0.01 * v;
        ++k;
    }
    energy[i] = 0.5 * v * v + 2.0 * x * x;
}

// A condition on a number: both sides meet.
template <class X, class V, class W, class Y>
__global__ void clipped(const X *x, Y *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    V v = x[i] > 0.5 ? 1.5 * x[i] * x[i] - 0.375 : x[i] - x[i] * x[i] * x[i] + 0.0 * x[i];
    W w = exp(v);
    if (w > 1.3)
        w = 1.3 + log(w / 1.3);
    y[i] = w * v;
}
