// Copies that a class spells out member by member.
// g2o-verify: constructed<<<1, 8>>>(x = [10], y = [8])
// g2o-verify: of_template<<<1, 8>>>(x = [10], y = [8])

struct V {
    double a, b;
    __device__ V() {}
    __device__ V(double x, double y) : a(x), b(y) {}
    __device__ V(const V &o) : a(o.a), b(o.b) {}
    __device__ V &operator=(const V &o) {
        a = o.a;
        b = o.b;
        return *this;
    }
};

struct W {
    V v;
    double w[3];
    __device__ W() {}
    __device__ W(const W &o) : v(o.v) {
        for (int i = 0; i < 3; ++i)
            w[i] = o.w[i];
    }
    __device__ W &operator=(const W &o) {
        v = o.v;
        for (int i = 0; i < 3; ++i)
            w[i] = o.w[i];
        return *this;
    }
};

template <class T> struct G {
    T a, b;
    __device__ G() {}
    __device__ G(const G &o) : a(o.a), b(o.b) {}
    __device__ G &operator=(const G<T> &o) {
        a = o.a;
        b = o.b;
        return *this;
    }
};
__global__ void constructed(const double *x, double *y) {
    const int i = threadIdx.x;
    V p(x[i], x[i + 1]);
    V q = p;
    V r(0, 0);
    r = q;
    r.a *= q.b;
    W w;
    w.v = r;
    w.w[0] = x[i];
    w.w[1] = x[i + 1] * x[i];
    w.w[2] = 2;
    W u = w;
    W t;
    t = u;
    t.w[1] *= u.v.a;
    y[i] = t.v.a * t.v.b + t.w[1] * t.w[0] + t.w[2];
}
__global__ void of_template(const double *x, double *y) {
    const int i = threadIdx.x;
    G<double> p;
    p.a = x[i];
    p.b = x[i + 1] * p.a;
    G<double> q = p;
    G<double> r;
    r = q;
    r.a *= q.b;
    y[i] = r.a * r.b;
}
