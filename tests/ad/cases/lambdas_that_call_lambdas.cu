// Lambdas that call functions and other lambdas, handed to a template.
// g2o-verify: folded<<<1, 8>>>(x = [12], y = [8])
template <class F> __device__ double fold(const double *v, F f) {
    double init = 1;
    for (int k = 0; k < 3; ++k)
        init = f(init, v[k]);
    return init;
}
__device__ double cube(double v) { return v * v * v; }
__global__ void folded(const double *x, double *y) {
    const int i = threadIdx.x;
    const auto sq = [](double v) { return v * v; };
    y[i] = fold(x + i, [=](double s, double v) { return s * cube(v) + sq(v + s); });
}

struct Alg {
    template <class F> static __device__ double run(const double *p, F f) {
        double s = 1;
        for (int i = 0; i < 3; ++i) {
            double w = f(p[i]);
            s += w * s;
        }
        return s;
    }
    template <class F, class G> __device__ double both(double v, F f, const G &g) const {
        return f(v) * g(v);
    }
};

// g2o-verify: of_class<<<1, 8>>>(x = [12], y = [8])
__global__ void of_class(const double *x, double *y) {
    const int i = threadIdx.x;
    Alg alg;
    const auto twice = [](double v) { return 2 * v; };
    y[i] = Alg::run(x + i, [](double v) { return v * v; }) +
           alg.both(x[i], [=](double v) { return v * x[i + 1]; }, twice);
}
