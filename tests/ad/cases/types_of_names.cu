// Types that are named by what has them: what has the name may be an array of all threads where
// a declaration is printed again.
// g2o-verify: by_names<<<1, 32>>>(x = [n + m], y = [n], n = 32, m = 3)
// g2o-verify: by_results<<<1, 32>>>(x = [n + m], y = [n], n = 32, m = 3)
// g2o-verify: of_many_forms<<<1, 32>>>(x = [n + m], y = [n], n = 32, m = 3)
// g2o-verify: across_barriers<<<2, 32>>>(x = [n + m], y = [n], n = 64, m = 3)

__global__ void by_names(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int j = 0; j < m; ++j) {
        decltype(s) v = x[i + j];
        v = v * v;
        decltype(v * x[i]) w = v * x[i];
        w = w + v;
        decltype(auto) u = (w);
        u = u * 0.5;
        s = s + w;
    }
    y[i] = s;
}

__device__ auto squared(double a) { return a * a; }
__device__ auto scaled(double a, float b) -> decltype(a * b) { a = a * b; return a; }
template <class T> __device__ auto product(T a) { auto b = a; b = b * a; return b; }
__global__ void by_results(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int j = 0; j < m; ++j) {
        auto v = product(x[i + j]);
        v = v * v;
        auto u = squared(v);
        u = u + v;
        auto w = scaled(v, 2.0f);
        s = s + w * u;
    }
    y[i] = s;
}

__global__ void of_many_forms(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    decltype(s) a[3] = {1, 2, 3};
    decltype(x) p = x + i;
    decltype(s) *q = &s;
    decltype(s) &r = s;
    decltype(a) b = {x[i], 1, 2};
    const decltype(s) c = x[i], d = c * c;
    auto f = [&](decltype(s) e) { decltype(e) g = e * e; g = g + c; return g; };
    decltype(f(s)) k = f(d);
    for (decltype(m) j = 0; j < m; ++j) {
        *q = *q + p[j] * a[j % 3];
        r = r * b[j % 3] + k;
        k = k * 0.5;
    }
    y[i] = s;
}

__global__ void across_barriers(const double *x, double *y, int n, int m)
{
    __shared__ double t[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = x[i];
    for (int j = 0; j < m; ++j) {
        decltype(s) v = s * x[i + j];
        t[threadIdx.x] = v;
        __syncthreads();
        decltype(t[0] * s) w = t[(threadIdx.x + 1) % 32];
        w = w * v;
        __syncthreads();
        s = s + w;
    }
    y[i] = s;
}
