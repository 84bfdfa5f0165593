// Sizes of blocks that are parameters of templates, or macros: threads have elements of their own.
// g2o-verify: scaled<16><<<4, 16>>>(x = [n], y = [n], a = 1.5, n = 50)
// g2o-verify: scaled<32><<<2, 32>>>(x = [n], y = [n], a = 1.5, n = 50)
// g2o-verify: smoothed<8><<<7, 8>>>(x = [n], y = [n], n = 50)
// g2o-verify: in_rows<<<dim3(3, 5), dim3(8, 4)>>>(x = [20 * 20], y = [20 * 20], n = 20)
// g2o-verify: block_sum<16><<<4, 16>>>(x = [n], y = [4], n = 50)
// g2o-verify: block_sum<64><<<1, 64>>>(x = [n], y = [1], n = 50)
#define COLUMNS 8

template <int BLOCK> __global__ void scaled(const double *x, double *y, double a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i];
}

template <unsigned BLOCK> __global__ void smoothed(const double *x, double *y, int n)
{
    int i = BLOCK * blockIdx.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = 0.25 * x[i - 1] * x[i] + 0.5 * x[i + 1];
}

__global__ void in_rows(const double *x, double *y, int n)
{
    int column = blockIdx.x * COLUMNS + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
    if (row >= n || column >= n)
        return;
    y[row * n + column] = sin(x[row * n + column]) * x[column * n + row];
}

template <unsigned int BLOCK> __global__ void block_sum(const double *x, double *y, int n)
{
    __shared__ double s[BLOCK];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? x[i] * x[i] : 0.0;
    __syncthreads();
    if ((BLOCK >= 64) && (t < 32))
        s[t] += s[t + 32];
    __syncthreads();
    if ((BLOCK >= 32) && (t < 16))
        s[t] += s[t + 16];
    __syncthreads();
    for (unsigned int d = 8; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

void run(const double *x, double *y, int n, int threads)
{
    scaled<16><<<4, 16>>>(x, y, 1.5, n);
    constexpr int size = 32;
    const dim3 block(size);
    scaled<size><<<2, block>>>(x, y, 1.5, n);
    smoothed<8><<<7, 8>>>(x, y, n);
    in_rows<<<dim3(3, 5), dim3(COLUMNS, 4)>>>(x, y, n);
    switch (threads) {
    case 64:
        block_sum<64><<<1, threads>>>(x, y, n);
        break;
    case 16:
        block_sum<16><<<4, threads>>>(x, y, n);
        break;
    }
}
