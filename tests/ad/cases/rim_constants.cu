// What threads at the rim have a constant for may make quotients infinite: no seed, no sum.
// g2o-verify: rim_quotient<<<3, 8>>>(x = [20], w = [4], y = [20], rows = 20)
__global__ void rim_quotient(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double v = r < rows ? x[r] : 0;
    double q = w[0] / v + w[1] * log(v * v) + w[2] * sqrt(v * v);
    if (r < rows)
        y[r] = q;
}
// g2o-verify: rim_barrier<<<3, 8>>>(x = [20], w = [4], y = [20], rows = 20)
__global__ void rim_barrier(const double *x, const double *w, double *y, int rows)
{
    __shared__ double s[8];
    int t = threadIdx.x, r = blockIdx.x * blockDim.x + t;
    double v = r < rows ? x[r] : 0;
    s[t] = v;
    __syncthreads();
    double q = w[0] / v + w[1] / s[t] + w[3] / (s[t] * v);
    __syncthreads();
    s[t] = q;
    __syncthreads();
    if (r < rows)
        y[r] = s[t] + q * v;
}
// g2o-verify: rim_loop<<<3, 8>>>(x = [80], w = [4], y = [20], rows = 20)
__global__ void rim_loop(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        double v = r < rows ? x[r * 4 + k] : 0;
        sum += w[k] / v;
    }
    if (r < rows)
        y[r] = sum * sum;
}
// g2o-verify: rim_carried<<<3, 8>>>(x = [80], w = [4], y = [20], rows = 20)
__global__ void rim_carried(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 1;
    for (int k = 0; k < 4; ++k) {
        double v = r < rows ? x[r * 4 + k] : 0;
        sum = sum * w[k] / v + 0.1;
    }
    if (r >= rows)
        return;
    y[r] = sum;
}
__device__ double ratio(double a, double b) { return a / b; }
// g2o-verify: rim_function<<<3, 8>>>(x = [20], w = [4], y = [20], rows = 20)
__global__ void rim_function(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double v = 0;
    if (r < rows)
        v = x[r];
    double q = ratio(w[0], v);
    if (r < rows)
        y[r] = q + pow(q * q, 0.3);
}
// g2o-verify: rim_atomic<<<3, 8>>>(x = [20], w = [4], y = [2], rows = 20)
__global__ void rim_atomic(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double v = r < rows ? x[r] : 0;
    double q = w[0] / v;
    if (r < rows)
        atomicAdd(&y[r & 1], q);
}
// g2o-verify: rim_shuffle<<<3, 32>>>(x = [70], w = [4], y = [70], rows = 70)
__global__ void rim_shuffle(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double v = r < rows ? x[r] : 0;
    double u = __shfl_xor_sync(0xffffffff, v, 1);
    double q = w[0] / v + w[1] / u;
    if (r < rows)
        y[r] = q;
}
// g2o-verify: rim_select<<<3, 8>>>(x = [20], w = [4], y = [24], rows = 20)
__global__ void rim_select(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double v = r < rows ? x[r] : 0;
    double q = w[0] / v;
    y[r] = r < rows ? q : 0;
}
// g2o-verify: rim_select_in_loop<<<3, 8>>>(x = [80], w = [4], y = [24], rows = 20)
__global__ void rim_select_in_loop(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        double v = r < rows ? x[r * 4 + k] : 0;
        double q = w[k] / v;
        if (v != 0)
            sum += q;
    }
    y[r] = sum;
}
// g2o-verify: rim_max<<<3, 8>>>(x = [20], w = [4], y = [24], rows = 20)
__global__ void rim_max(const double *x, const double *w, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double v = r < rows ? x[r] * x[r] : 0;
    double q = sqrt(v) * w[0];
    y[r] = fmax(q, 0.1);
}
// g2o-verify: rim_tile<<<(2, 2), (4, 4)>>>(x = [36], w = [16], y = [36], n = 6)
__global__ void rim_tile(const double *x, const double *w, double *y, int n)
{
    __shared__ double a[4][4];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 4 + tx, j = blockIdx.y * 4 + ty;
    a[ty][tx] = i < n && j < n ? x[j * n + i] : 0;
    __syncthreads();
    double s = 0;
    for (int k = 0; k < 4; ++k)
        s += w[k] / a[ty][k] + w[k + 4] * a[k][tx];
    if (i < n && j < n)
        y[j * n + i] = blockIdx.x ? 1 : s;
}
// g2o-verify: rim_stride<<<3, 8>>>(x = [20], w = [4], y = [20], rows = 20)
__global__ void rim_stride(const double *x, const double *w, double *y, int rows)
{
    for (int b = blockIdx.x * 4; b < rows + 4; b += gridDim.x * 4) {
        int r = b + threadIdx.x;
        double v = r < rows && threadIdx.x < 4 ? x[r] : 0;
        double q = w[0] / v;
        if (r < rows && threadIdx.x < 4)
            y[r] = q;
    }
}
