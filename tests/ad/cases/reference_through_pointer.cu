// A reference to what a pointer leads to stands for the variable, whatever that has become.
__device__ double turned(double a, double &b, int c) {
    double u = 0.5 * a * a;
    b += sin(u) * cos(b) * c;
    return u * b;
}
// g2o-verify: through_pointer<<<2, 8>>>(x = [16], y = [16], n = 3)
__global__ void through_pointer(const double *x, double *y, int n) {
    int i = blockIdx.x * 8 + threadIdx.x;
    double v = x[i], w = 0.4 * v;
    double *g = &w;
    *g = sin(w) * v;
    for (int k = 0; k < n; ++k) {
        double r = turned(v, (*g), k);
        double &same = (*g);
        v += 0.3 * r * same;
        w = 0.7 * w + 0.1 * v;
    }
    y[i] = v * w;
}
