// Places of a block that are told apart by what a thread may not leave; sums that come to nothing.
// g2o-verify: rows<<<2, 16>>>(x = [n], y = [n], n = 32)
// g2o-verify: rows_by_pointers<<<2, 8>>>(x = [n], y = [n], n = 16)
// g2o-verify: nothing_left<<<2, 8>>>(x = [n], y = [n], n = 16)
__global__ void rows(const double *x, double *y, int n)
{
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    __shared__ double s[2][8];
    s[t % 2][t / 2] = x[i % n];
    double v = 0.4;
    if (t % 3 == 1) {
        s[t % 2][t / 2] *= 0.4;
        v = sin(s[t % 2][t / 2]);
    }
    y[i] += 0.5 * v * v;
}
__global__ void nothing_left(const double *x, double *y, int n)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    s[t] = 0.2;
    double v = x[i], w = 0.4;
    __syncthreads();
    v *= sin(v * s[(t + 1) % 8]);
    __syncthreads();
    s[(t + 4) % 8] = 0.5 * w + 0.3 * x[(t + 3) % n];
    v = log(2 + sin(1.1));
    y[i] += 0.5 * v * w;
}
__global__ void rows_by_pointers(const double *x, double *y, int n)
{
    __shared__ double s[4][8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    double (*tile)[8] = s;
    double *row = tile[t / 2];
    row[t % 8] = x[i];
    __syncthreads();
    double *next = tile[((t + 1) % 8) / 2] + (t + 1) % 8;
    double v = *next;
    __syncthreads();
    (*(tile + t / 2))[t % 8] = v * row[t % 8];
    __syncthreads();
    y[i] = *next * v;
}
