// Pointers that lead to one array after the other.
// g2o-verify: scan<<<2, 64>>>(out = [128], in = [128])
// g2o-verify: diffuse<<<1, 16>>>(a = [16 * 9], b = [16 * 9], n = 9, steps = 5)
// g2o-verify: diffuse<<<1, 16>>>(a = [16 * 9], b = [16 * 9], n = 9, steps = 0)
// g2o-verify: rotate<<<2, 32>>>(y = [64], x = [64], w = [64], steps = 4)
// g2o-verify: choose<<<2, 32>>>(y = [64], x = [64], z = [64])
// g2o-verify: exchange<<<1, 16>>>(x = [16], y = [16], steps = 3)
// g2o-verify: pairs<<<1, 32>>>(y = [32], u = [32], x = [32], z = [32], v = [32])
// g2o-verify: handed<<<2, 32>>>(y = [64], x = [64], z = [64])
// g2o-verify: picked<<<2, 32>>>(y = [64], x = [64], z = [64])
// g2o-verify: halves<<<2, 16, 32 * sizeof(double)>>>(y = [32], x = [32], steps = 3)

__global__ void scan(double *out, const double *in)
{
    __shared__ double first[64], second[64];
    double *now = first, *next = second;
    int t = threadIdx.x;
    now[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 1; d < 64; d <<= 1) {
        next[t] = t >= d ? now[t] * 1.01 + now[t - d] * now[t] : now[t];
        __syncthreads();
        double *other = now;
        now = next;
        next = other;
    }
    out[blockIdx.x * 64 + t] = now[t];
}

// Every thread has rows of its own in both arrays.
__global__ void diffuse(double *a, double *b, int n, int steps)
{
    int row = threadIdx.x * n;
    double *now = a;
    double *next = b;
    for (int s = 0; s < steps; ++s) {
        for (int i = 1; i < n - 1; ++i)
            next[row + i] = now[row + i] + 0.1 * now[row + i] * (now[row + i - 1] - now[row + i + 1]);
        next[row] = now[row];
        next[row + n - 1] = now[row + n - 1];
        double *t = now;
        now = next;
        next = t;
    }
}

__device__ double turned(const double *p, int i) { return p[i] * p[i ^ 1]; }

// Three arrays, and a function that is handed one of them.
__global__ void rotate(double *y, const double *x, const double *w, int steps)
{
    __shared__ double a[32], b[32], c[32];
    double *one = a, *two = b, *three = c, *hold;
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    a[t] = x[i];
    b[t] = w[i];
    c[t] = x[i] * w[i];
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        double value = turned(one, t) + sin(two[t]);
        __syncthreads();
        three[t] = value * 0.5 + *(three + t);
        __syncthreads();
        hold = one;
        one = two;
        two = three;
        three = hold;
    }
    y[i] = one[t] + 2.0 * two[t] * three[31 - t];
}

// Threads differ in where their pointers lead.
__global__ void choose(double *y, const double *x, const double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double *p = x;
    if (i % 3 == 0)
        p = z;
    const double *q = p;
    if (x[i] > 1.0)
        q = x;
    y[i] = p[i] * q[i] + q[i] * q[i];
}

// The parameters themselves.
__global__ void exchange(double *x, double *y, int steps)
{
    int i = threadIdx.x;
    for (int s = 0; s < steps; ++s) {
        y[i] = x[i] * x[i] + 0.5 * y[i];
        double *t = x;
        x = y;
        y = t;
    }
    x[i] *= 3.0;
}

// Pointers that are chosen on the spot.
__global__ void picked(double *y, const double *x, const double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double *p = (i % 5 < 2 ? x : z) + i;
    const double *q = &(i % 2 == 0 ? z : x)[i];
    y[i] = *((i % 3 == 0 ? x : z) + i) * x[i] + *p * p[0] + *q * z[i];
}

template <class T>
__device__ void exchange_them(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}

// By a function of a template, and a pointer that may be none.
__global__ void handed(double *y, const double *x, const double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double *p = x, *q = z;
    for (int s = 0; s < i % 3; ++s)
        exchange_them(p, q);
    const double *bias = i % 4 ? z : nullptr;
    y[i] = p[i] * p[i] * q[i] + (bias ? bias[i] * x[i] : 0.0);
}

// Two pairs of arrays that have nothing to do with each other.
__global__ void pairs(double *y, float *u, const double *x, const double *z, const float *v)
{
    __shared__ double a[32], b[32];
    __shared__ float c[32], d[32];
    int t = threadIdx.x;
    double *p = a, *q = b;
    float *r = c, *s = d;
    p[t] = x[t];
    q[t] = z[t];
    r[t] = v[t];
    s[t] = 1.0f;
    for (int k = 0; k < 3; ++k) {
        __syncthreads();
        q[t] = p[(t + 1) % 32] * q[t];
        s[t] = r[(t + 1) % 32] * s[t];
        __syncthreads();
        double *e = p;
        p = q;
        q = e;
        float *f = r;
        r = s;
        s = f;
    }
    y[t] = p[t] * q[t];
    u[t] = r[t];
}

// One leads to the start of an array, the other into it: they change places all the same.
__global__ void halves(double *y, const double *x, int steps)
{
    extern __shared__ double mem[];
    double *now = mem, *next = mem + 16;
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    now[t] = x[i];
    next[t] = 0.0;
    __syncthreads();
    for (int s = 0; s < steps; ++s) {
        next[t] = next[t] * 0.5 + sin(now[t] * now[(t + 1) % 16]);
        __syncthreads();
        double *other = now;
        now = next;
        next = other;
    }
    y[i] = now[t] * next[t];
}
