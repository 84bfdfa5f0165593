// Views, accessors and parameters in structures, templates or not: their shadows lead to shadows.
// g2o-verify: squares<<<2, 16>>>(x.data = [30], y.data = [30], n = 30)
// g2o-verify: strided<double><<<2, 16>>>(x.data = [n * 2], y.data = [n * 3], x.stride = 2,
//     y.stride = 3, n = 30)
// g2o-verify: beside<float><<<2, 16>>>(x.data = [n * 2], x.stride = 2, y = [n], n = 30)
// g2o-verify: affine<double><<<2, 16>>>(p.x = [30], p.y = [30], p.n = 27)
// g2o-verify: adam<<<2, 16>>>(s.p = [30], s.g = [30], s.m = [30 : -0.2 .. 0.2],
//     s.v = [30 : 0.2 .. 0.9], s.n = 27, s.rate.eps = 0.1, s.rate.beta1 = 0.9, s.rate.beta2 = 0.8)
// g2o-verify: packed_rows<double><<<dim3(2, 3), 8>>>(x.data = [60], y.data = [60],
//     x.sizes[0] = 3, x.sizes[1] = 14, y.sizes[0] = 3, y.sizes[1] = 14,
//     x.strides[0] = 14, x.strides[1] = 1, y.strides[0] = 20, y.strides[1] = 1)
// g2o-verify: softmax<<<5, 8>>>(logits.data = [5 * 13], out.data = [5 * 13], logits.rows = 5,
//     logits.cols = 13, out.rows = 5, out.cols = 13)
// g2o-verify: moved<<<2, 16>>>(p.in = [48], p.out = [48], p.n = 16)
// g2o-verify: walked<<<1, 4>>>(p.in = [16], p.out = [16], p.n = 3)
// g2o-verify: named_before_guard<<<2, 16>>>(p.in = [30], p.out = [30], p.n = 27)
// g2o-verify: gathered<<<2, 16>>>(g.value = [40], g.row = [28 : i], g.col = [40 : (i * 7) % 20],
//     g.x = [20], g.y = [20], g.n = 20, g.first = [21 : 2 * i])
// g2o-verify: tiled<float, 8><<<dim3(2, 2), dim3(8, 8)>>>(a.data = [256], b.data = [256],
//     c.data = [256], a.ld = 16, b.ld = 16, c.ld = 16, n = 16)
// g2o-verify: nested<<<2, 8>>>(m.layer[0].w = [16], m.layer[0].b = [16], m.layer[1].w = [16],
//     m.layer[1].b = [16], x = [16], y = [16])
// g2o-verify: swapped<<<1, 8>>>(p.in = [8], p.out = [8], p.n = 8)
struct View {
    float *data;
    __device__ float &operator[](long i) const { return data[i]; }
};

__global__ void squares(const View x, View y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

template <typename T>
struct Strided {
    T *data;
    int stride;
    __device__ T &operator[](long i) const { return data[i * stride]; }
};

template <typename T>
__global__ void strided(const Strided<T> x, Strided<T> y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

template <typename T>
__global__ void beside(const Strided<T> x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

template <typename T>
struct Affine {
    const T *x;
    T *y;
    T scale, shift;
    int n;
};

template <typename T>
__global__ void affine(Affine<T> p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.n)
        return;
    p.y[i] = p.scale * p.x[i] * p.x[i] + p.shift;
}

struct Rate {
    double lr, beta1, beta2, eps;
};
struct State {
    double *__restrict__ p, *__restrict__ m, *__restrict__ v;
    const double *g;
    Rate rate;
    int n;
};
__device__ double lerp(double a, double b, double t) { return a + t * (b - a); }

__global__ void adam(State s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.n)
        return;
    double g = s.g[i];
    double m = lerp(g, s.m[i], s.rate.beta1);
    double v = lerp(g * g, s.v[i], s.rate.beta2);
    s.m[i] = m;
    s.v[i] = v;
    s.p[i] -= s.rate.lr * m / (sqrt(v) + s.rate.eps);
}

template <typename T, int N>
struct Accessor {
    T *data;
    const int *sizes, *strides;
    __device__ Accessor(T *d, const int *s, const int *t) : data(d), sizes(s), strides(t) {}
    __device__ Accessor<T, N - 1> operator[](int i) const
    {
        return Accessor<T, N - 1>(data + i * strides[0], sizes + 1, strides + 1);
    }
};
template <typename T>
struct Accessor<T, 1> {
    T *data;
    const int *sizes, *strides;
    __device__ Accessor(T *d, const int *s, const int *t) : data(d), sizes(s), strides(t) {}
    __device__ T &operator[](int i) const { return data[i * strides[0]]; }
};
template <typename T, int N>
struct Packed {
    T *data;
    int sizes[N], strides[N];
    __device__ Accessor<T, N - 1> operator[](int i) const
    {
        return Accessor<T, N - 1>(data + i * strides[0], sizes + 1, strides + 1);
    }
    __device__ int size(int i) const { return sizes[i]; }
};

template <typename T>
__global__ void packed_rows(const Packed<T, 2> x, Packed<T, 2> y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y;
    if (i < x.size(1) && j < x.size(0))
        y[j][i] = x[j][i] * x[j][i];
}

struct Matrix {
    float *data;
    int rows, cols;
    __device__ float *row(int r) const { return data + r * cols; }
    __device__ float at(int r, int c) const { return data[r * cols + c]; }
};

__global__ void softmax(const Matrix logits, Matrix out)
{
    __shared__ float part[8];
    const float *in = logits.row(blockIdx.x);
    float *y = out.row(blockIdx.x);
    int t = threadIdx.x;
    float m = -1e30f;
    for (int c = t; c < logits.cols; c += blockDim.x)
        m = fmaxf(m, in[c]);
    part[t] = m;
    __syncthreads();
    for (int s = 4; s > 0; s /= 2) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    m = part[0];
    __syncthreads();
    float sum = 0.0f;
    for (int c = t; c < logits.cols; c += blockDim.x)
        sum += expf(logits.at(blockIdx.x, c) - m);
    part[t] = sum;
    __syncthreads();
    for (int s = 4; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    sum = part[0];
    for (int c = t; c < out.cols; c += blockDim.x)
        y[c] = expf(in[c] - m) / sum;
}

struct InOut {
    const float *in;
    float *out;
    float scale;
    int n;
};

__global__ void moved(InOut p)
{
    p.in += blockIdx.x * p.n;
    p.out += blockIdx.x * p.n;
    p.scale *= 2.0f;
    int i = threadIdx.x;
    if (i < p.n)
        p.out[i] = p.scale * p.in[i] * p.in[(i + 1) % p.n];
}

__global__ void walked(InOut p)
{
    float sum = 0.0f;
    p.in += threadIdx.x * p.n;
    for (int k = 0; k < p.n; ++k, ++p.in)
        sum += p.scale * *p.in * *p.in;
    p.out[threadIdx.x] = sum;
}

__global__ void named_before_guard(InOut p)
{
    float *out = p.out; // where results go
    const int n = p.n;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float old = out[i];
    out[i] = p.scale * p.in[i] * old;
}

__global__ void swapped(InOut p)
{
    const float *from = p.in;
    float *to = p.out;
    int i = threadIdx.x;
    float v = from[i] * to[i];
    p.in = to;
    __syncthreads();
    to[i] = v * p.in[i];
}

template <typename T>
struct Csr {
    const T *value;
    const int *row, *col, *first;
    const T *x;
    T *y;
    int n;
};

__global__ void gathered(Csr<double> g)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= g.n)
        return;
    double sum = 0.0;
    for (int k = g.first[r]; k < g.first[r + 1]; ++k)
        sum += g.value[k] * g.x[g.col[k]];
    g.y[g.row[r]] = sum;
}

template <typename T>
struct Square {
    T *data;
    int ld;
    __device__ T &operator()(int r, int c) { return data[r * ld + c]; }
    __device__ const T &operator()(int r, int c) const { return data[r * ld + c]; }
};

template <typename T, int TILE>
__global__ void tiled(const Square<T> a, const Square<T> b, Square<T> c, int n)
{
    __shared__ T sa[TILE][TILE], sb[TILE][TILE];
    int r = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k += TILE) {
        sa[threadIdx.y][threadIdx.x] = a(r, k + threadIdx.x);
        sb[threadIdx.y][threadIdx.x] = b(k + threadIdx.y, col);
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            sum += sa[threadIdx.y][j] * sb[j][threadIdx.x];
        __syncthreads();
    }
    c(r, col) = sum;
}

struct Layer {
    const double *w, *b;
};
struct Model {
    Layer layer[2];
};
__global__ void nested(Model m, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = tanh(m.layer[0].w[i] * x[i] + m.layer[0].b[i]);
    y[i] = m.layer[1].w[i] * v + m.layer[1].b[i];
}

void start(Strided<double> d, Strided<float> f, float *y, Affine<double> p, Packed<double, 2> rows,
           Square<float> s)
{
    strided<<<2, 16>>>(d, d, 30);
    beside<<<2, 16>>>(f, y, 30);
    affine<<<2, 16>>>(p);
    packed_rows<<<dim3(2, 3), 8>>>(rows, rows);
    tiled<float, 8><<<dim3(2, 2), dim3(8, 8)>>>(s, s, s, 16);
}
