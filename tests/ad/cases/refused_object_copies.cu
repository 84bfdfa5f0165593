// Copies of objects that are not what they were copied from, by a constructor, an assignment, or
// those of a member; lists that call a constructor.
struct Half {
    double v;
    __device__ Half(double a) : v(a) {}
    __device__ Half(const Half &o) : v(o.v * 0.5) {}
};

struct Part {
    double v, c;
    __device__ Part &operator=(const Part &o) {
        v = o.v;  // and not `c`
        return *this;
    }
};

struct Whole {
    Part a[2];
    double w;
};

__global__ void copied(const double *x, double *y) {
    Half h(x[threadIdx.x]);
    Half g = h; // refused: copy of a 'Half'
    y[threadIdx.x] = g.v * h.v;
}

__global__ void assigned(const double *x, double *y) {
    Whole p, q;
    p.a[0].v = x[threadIdx.x];
    p.a[0].c = x[threadIdx.x];
    q.a[0].c = 3;
    q = p; // refused: copy of a 'Whole'
    y[threadIdx.x] = q.a[0].v * q.a[0].c;
}

__global__ void listed(const double *x, double *y) {
    Half h[2] = {{x[threadIdx.x]}, {3.0}}; // refused: list that calls a constructor
    y[threadIdx.x] = h[0].v * h[1].v;
}
