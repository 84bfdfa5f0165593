// Names of types that a function declares, in a class that it declares as well.
// g2o-verify: named<<<1, 8>>>(x = [8], y = [8])
typedef int real;
template <class S> __device__ S g(S v) {
    using real = S;
    struct Q {
        real c;
    };
    struct P {
        real a, b[2];
        Q q;
    };
    P p = {v, {v * v, v}, {v}};
    p.a += p.b[0] * p.q.c;
    for (real w = 0; w < 2; w += 1)
        p.b[1] *= v;
    return p.a * p.b[1];
}
__global__ void named(const double *x, double *y) {
    const int i = threadIdx.x;
    using real = double;
    struct L {
        real u;
    } l = {x[i]};
    y[i] = g(x[i]) * l.u;
}
