// Pointers to a member of a structure, or to its array, lead to the shadows of more than that.
// g2o-verify: through_an_array<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: set_later<<<1, 8>>>(x = [8], y = [8])
struct Three { double v[3]; double w; };
__global__ void through_an_array(const Three *x, double *y) {
    Three t = x[threadIdx.x];
    double *p = t.v;
    y[threadIdx.x] = p[0] * p[2] + t.w;
}
__global__ void set_later(const Three *x, double *y) {
    Three t = x[threadIdx.x];
    double *p;
    p = t.v;
    y[threadIdx.x] = p[1] * p[2];
}
