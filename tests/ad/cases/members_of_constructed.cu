// Braces would call a constructor of the class: members that are set stay so.
// g2o-verify: turned<<<1, 8>>>(x = [8], y = [8])
struct Cx {
    double re, im;
    __device__ Cx() : re(0), im(0) {}
    __device__ Cx(double r, double phi) : re(r * cos(phi)), im(r * sin(phi)) {}
    __device__ Cx operator*(const Cx &y) const {
        Cx h;
        h.re = re * y.re - im * y.im;
        h.im = re * y.im + im * y.re;
        return h;
    }
    __device__ static Cx cartesian(double a, double b) {
        Cx c;
        c.re = a;
        c.im = b;
        return c;
    }
};
__global__ void turned(const double *x, double *y) {
    const int i = threadIdx.x;
    Cx a = Cx::cartesian(x[i], 0.5);
    Cx m = a * a;
    m = m * a;
    y[i] = m.re + 2 * m.im;
}

// g2o-verify: braced<<<1, 8>>>(x = [8], y = [8])
struct Polar {
    double re, im;
    Polar() = default;
    __device__ Polar(double r, double phi) : re(r * cos(phi)), im(r * sin(phi)) {}
};
struct Hit {
    int a, b;
    Hit() = default;
    __device__ Hit(int x, int y) : a(x + y), b(x - y) {}
};
__device__ Polar cart(double a, double b) {
    Polar c;
    c.re = a;
    c.im = b;
    return c;
}
__global__ void braced(const double *x, double *y) {
    const int i = threadIdx.x;
    Polar a = cart(x[i], 0.5);
    Polar b = {x[i], 0.25};
    Polar c{x[i], 0.25};
    Hit h;
    h.a = 0;
    h.b = 1;
    for (int j = 0; j < 4; ++j) {
        Hit g;
        g.a = j;
        g.b = i;
        if (g.a > h.b)
            h = g;
    }
    y[i] = a.re * a.im + b.re * c.im + h.a - h.b;
}
