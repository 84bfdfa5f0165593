// Local arrays of objects whose constructors give their members values.
// g2o-verify: offsets<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: products<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: in_rows<<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: across<<<2, 16>>>(x = [32], y = [32])
// g2o-verify: referred<<<2, 16>>>(n = 30, x = [n], y = [n])
struct Vec3 {
    double x, y, z;
    __host__ __device__ Vec3() : x(0), y(0), z(0) {}
    __host__ __device__ Vec3(double a, double b, double c) : x(a), y(b), z(c) {}
    __host__ __device__ double dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Complex {
    double re = 0.5, im = 0;
    __host__ __device__ Complex operator*(const Complex &o) const
    {
        Complex r;
        r.re = re * o.re - im * o.im;
        r.im = re * o.im + im * o.re;
        return r;
    }
    __host__ __device__ Complex &operator+=(const Complex &o)
    {
        re += o.re;
        im += o.im;
        return *this;
    }
};

__global__ void offsets(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec3 v[4];
    for (int k = 1; k < 4; ++k)
        v[k] = Vec3(x[i] * k, x[(i + k) % n], 2.0);
    double s = 0.0;
    for (int k = 1; k < 4; ++k)
        s += v[k].dot(v[k - 1]);
    y[i] = s;
}

__global__ void products(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Complex z[8];
    for (int k = 0; k < 7; ++k) {
        z[k].re += x[(i + k) % n];
        z[k].im = k;
    }
    Complex sum;
    for (int k = 0; k < 8; ++k)
        sum += z[k] * z[7 - k];
    y[i] = sum.re * sum.im;
}

// Made anew in each turn.
__global__ void in_rows(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 1.0;
    for (int turn = 0; turn < 3; ++turn) {
        Complex m[2][2];
        m[0][turn % 2].re *= x[i] * s;
        m[1][0].im = sin(s);
        Complex p = m[0][0] * m[1][0];
        p += m[0][1] * m[1][1];
        s += p.re * p.im + x[i];
    }
    y[i] = s;
}

__global__ void across(const double *x, double *y)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    Complex z[2];
    z[0].re *= x[i];
    z[1].im += x[i] * x[i];
    s[t] = z[0].re;
    __syncthreads();
    z[1] += z[0] * z[1];
    y[i] = z[1].re * z[1].im * s[15 - t];
}

// A member that is a reference.
struct Holder {
    double &v;
    double w;
    __device__ void grow(double by) { v += by * w; }
};

__global__ void referred(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    Holder h{a, x[i] * 2};
    h.grow(x[i]);
    h.v *= 2;
    y[i] = a * h.w;
}
