// References to elements of arrays are these elements where their indices stay.
// g2o-verify: walked<<<2, 8>>>(n = 13, x = [16], y = [16])
// g2o-verify: counted<<<2, 8>>>(n = 13, x = [80], y = [16])
// g2o-verify: moved_on<<<2, 8>>>(n = 13, x = [48], y = [16])
// g2o-verify: hidden<<<2, 8>>>(n = 13, x = [32], y = [16])
// g2o-verify: in_place<<<2, 8>>>(n = 13, y = [16])
struct P {
    double a, b[2];
};
__device__ inline double mixed(const P &p, const P &q) { return p.a * q.b[1] + sin(p.b[0]); }
__global__ void walked(const P *x, double *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = mixed(x[i], x[i + 1]) * mixed(x[i], x[i]);
}
__global__ void counted(const double *x, double *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0;
    for (int j = 0; j < 4; ++j) {
        const double &v = x[4 * i + j];
        s += v * v * s + v;
    }
    y[i] = s;
}
__global__ void moved_on(const double *x, double *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = i;
    const double &v = x[j];
    double s = v;
    for (; j < i + 3; ++j)
        s *= v + x[j];
    j = 2;
    y[i] = s * v * x[j];
}
__global__ void hidden(const double *x, double *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double &v = x[i];
    double s = v;
    for (int i = 0; i < 3; ++i) {
        s += v * x[i + 13];
    }
    {
        double x = 2;
        s *= x * v;
    }
    y[i] = s;
}
__global__ void in_place(double *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double &v = y[i];
    v = v * v;
    v += sin(y[i]) * v;
    const double &w = v;
    v = 2 * w * w;
}
