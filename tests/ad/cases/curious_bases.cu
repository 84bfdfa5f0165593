// Bases that know what derives from them, as small matrix libraries have them.
// g2o-verify: dots<<<1, 8>>>(x = [12], y = [8])
// g2o-verify: sums<<<1, 8>>>(x = [12], y = [8])
template <class D> struct Base {
    __device__ D &self() { return *static_cast<D *>(this); }
    __device__ const D &self() const { return *static_cast<const D *>(this); }
    __device__ double norm2() const { return self().x * self().x + self().y * self().y; }
    __device__ void scale(double by) {
        self().x *= by;
        self().y *= by;
    }
};

struct Vec : Base<Vec> {
    double x, y;
};

template <class D, int N> struct Expression {
    __device__ double sum() const {
        const D &it = static_cast<const D &>(*this);
        double s = 0;
        for (int i = 0; i < N; ++i)
            s += it.at(i) * it.at(i);
        return s;
    }
};

template <int N> struct Row : Expression<Row<N>, N> {
    double v[N];
    __device__ double at(int i) const { return v[i]; }
};

__global__ void dots(const double *x, double *y) {
    Vec v;
    v.x = x[threadIdx.x];
    v.y = x[threadIdx.x + 1];
    v.scale(x[threadIdx.x + 2]);
    y[threadIdx.x] = v.norm2() * v.x;
}

__global__ void sums(const double *x, double *y) {
    Row<3> row;
    for (int i = 0; i < 3; ++i)
        row.v[i] = x[threadIdx.x + i];
    row.v[1] *= row.v[0];
    y[threadIdx.x] = row.sum();
}
