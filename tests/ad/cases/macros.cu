// Macros: parts of what they expand to stand alone in derivatives.
// g2o-verify: macros<<<2, 8>>>(n = 14, x = [n + 1], y = [n])
// g2o-verify: counts<<<2, 8>>>(n = 4, x = [16], y = [16], whole = [16])
#define MUL(p, q) ((p) * (q))
#define SQUARE(p) ((p) * (p))
#define KERNEL(r) (1.0 / (1.0 + (r) * scale))
#define LOAD(i) (x[i] * factor)
#define NEGATED(p) -(p)
#define AT(m, row, column) m[(row) * n + (column)]
#define STEP v = v * KERNEL(v)
#define CUBE(p) (p * SQUARE(p))

__global__ void macros(const double *x, double *y, int n, double scale, double factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    double v = MUL(a, sin(a)) + SQUARE(x[i + 1]);
    STEP;
    v = v * NEGATED(x[i]) + CUBE(v);
    y[i] = v * KERNEL(v * v) + LOAD(i) * LOAD(i + 1);
}

__global__ void counts(const double *x, double *y, const int *whole, int n)
{
    int i = threadIdx.x % 4, j = blockIdx.x;
    if (threadIdx.x >= 4)
        return;
    AT(y, i, j) = AT(x, i, j) * AT(x, j, i) * AT(whole, i, j) + SQUARE(AT(x, i, 3));
}

// Elements of records in one array: the index ends with an argument of the macro.
#define MEMBERS 4
#define MEMBER(one, two) u[(one) * MEMBERS + two]
// g2o-verify: members<<<2, 8>>>(u = [64], n = 15)
__global__ void members(float *u, int n)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= n)
        return;
    const int second = 1;
    MEMBER(m, 0) = 0.5f * MEMBER(m, second) * MEMBER(m, second);
    MEMBER(m, second) = 0;
}

// What a macro names of CUDA has another name in derivatives.
#define SIGMOID(v) (1.0f / (1.0f + __expf(-(v))))
// g2o-verify: gates<<<2, 8>>>(n = 15, x = [16], y = [16])
__global__ void gates(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = SIGMOID(x[i]) * x[i];
}
