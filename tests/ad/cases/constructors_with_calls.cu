// Constructors that call functions of the library, and name what they need twice.
// g2o-verify: made<<<1, 8>>>(x = [8 : 0.2 .. 2], y = [8])
struct Polar {
    double re, im;
    __device__ Polar(double r) : re(r * cos(r)), im(0) { im = r * sin(r); }
};

struct Root {
    double half, whole;
    double square;
    __device__ Root(double r, int n) {
        const double root = sqrt(r);
        const double narrow = root * n;
        half = 0.5 * root;
        whole = r * root;
        square = narrow * narrow;
    }
};

__global__ void made(const double *x, double *y) {
    const int i = threadIdx.x;
    Polar a(x[i]);
    Root b(x[i], 3);
    y[i] = a.re * a.im + b.half * b.whole + b.square;
}

struct Pair {
    double a;
    __device__ Pair(double v) : a(2 * v) {}
};

struct Top {
    Pair c;
    double d;
    __device__ Top(double v) : c(v), d(v) {}
};

// g2o-verify: of_members<<<1, 8>>>(x = [8], y = [8])
__global__ void of_members(const double *x, double *y) {
    const int i = threadIdx.x;
    Top t(x[i]);
    Pair p[2] = {Pair(x[i]), Pair(3.0)};
    y[i] = t.c.a * t.d * p[0].a * p[i & 1].a;
}
