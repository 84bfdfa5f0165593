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
