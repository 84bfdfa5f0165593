// Classes with constructors, methods and operators, made from active values in the kernel.
// g2o-verify: vectors_made<<<2, 16>>>(n = 30, a = [n], b = [n], c = [n], d = [n])
// g2o-verify: rays<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: made_of_others<<<2, 16>>>(n = 30, x = [n], y = [n])
struct Vec {
    double x, y, z;
    __host__ __device__ Vec() : x(0), y(0), z(0) {}
    __host__ __device__ Vec(double a, double b, double c = 1.0) : x(a), y(b), z(c) {}
    __host__ __device__ Vec operator+(const Vec &o) const { return Vec(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ Vec operator*(double s) const { return Vec(x * s, y * s, z * s); }
    __host__ __device__ double dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
    __host__ __device__ void scale(double by)
    {
        x *= by;
        y *= by;
        z *= by;
    }
};

__global__ void vectors_made(const Vec *a, const Vec *b, Vec *c, double *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec s = a[i] + b[i] * 2.0;
    Vec t(s.x, s.y * s.x);
    c[i] = s * t.dot(s);
    c[i].scale(t.y);
    d[i] = t.dot(b[i]) + (a[i] + b[(i + 1) % n]).dot(s);
}

// Members that are objects, a value from another member, a value set in the body.
struct Ray {
    Vec from, along;
    double length;
    __device__ Ray(const Vec &f, const Vec &to) : from(f), along(to)
    {
        length = to.x * from.x;
    }
    __device__ Vec at(double t) const { return from + along * (t * length); }
};

__global__ void rays(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec f(x[i], x[i] * x[i], 2.0);
    Ray ray(f, Vec(f.y, x[(i + 1) % n], 0.5));
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        Vec p = ray.at(0.5 * k + x[i]);
        f = p + f;
        sum += p.dot(f);
    }
    y[i] = sum;
}

// A whole number in between: what it loses has no derivative.
struct Rounded {
    int whole;
    double rest;
    __device__ Rounded(int w, double r) : whole(w), rest(r - w) {}
};

__global__ void made_of_others(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Rounded r(8.0 * x[i] * x[i], x[i] * x[i]);
    y[i] = r.rest * x[i] + r.whole * x[i];
}
