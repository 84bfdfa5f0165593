// Subscripts of classes that a template leaves open are calls of their operators.
// g2o-verify: squares<<<1, 8>>>(x = [16], y = [8])
// g2o-verify: spans<<<1, 8>>>(x = [32], y = [8])
template <class T> struct Sq {
    T a, b;
    __device__ T operator[](int i) const { return i == 0 ? a * a : b * a; }
};

template <class T> struct Span {
    T *p;
    int n;
    __device__ T &operator[](int i) const { return p[i]; }
};

template <class T> __device__ T squared(Sq<T> s) {
    T r = 0;
    for (int i = 0; i < 2; ++i)
        r += s[i] * (i + 1);
    return r;
}

template <class T> __device__ T sum(Span<T> s) {
    T r = 0;
    for (int i = 0; i < s.n; ++i)
        r += s[i] * (i + 1);
    s[1] = r;
    return s[1] * s[2];
}

__global__ void squares(const double *x, double *y) {
    const int i = threadIdx.x;
    Sq<double> s{x[i], x[i + 1]};
    y[i] = squared(s);
}

__global__ void spans(const double *x, double *y) {
    const int i = threadIdx.x;
    double a[4];
    for (int k = 0; k < 4; ++k)
        a[k] = x[4 * i + k];
    Span<double> s{a, 4};
    y[i] = sum(s) * a[1];
}
