// What a turn of a loop has stored is read again where every turn has an element of its own, and
// made again where a later one may store there.
// g2o-verify: own<<<2, 8>>>(x = [n], y = [n], n = 50)
// g2o-verify: rows<<<3, 8>>>(x = [3 * m], y = [3 * m], w = [m], m = 20)
// g2o-verify: halves<<<1, 4>>>(x = [n], y = [n], n = 24)
// g2o-verify: twice<<<1, 4>>>(x = [n], y = [n], n = 24, m = 3)
// g2o-verify: moved<<<1, 4>>>(x = [n], y = [2 * n], n = 24)
// g2o-verify: neighbour<<<1, 1>>>(x = [n], y = [n + 1], n = 24)
// g2o-verify: changed_index<<<1, 1>>>(x = [n], y = [2 * n], n = 20)
// g2o-verify: narrow<<<1, 1>>>(x = [n], y = [n], n = 300)
// g2o-verify: behind<<<1, 8>>>(x = [n], y = [n], n = 40)
// g2o-verify: turned<<<1, 8>>>(x = [8], y = [8], n = 5)
// g2o-verify: read_later<<<1, 8>>>(x = [n], y = [n], z = [n], n = 40)
// g2o-verify: with_parts<<<1, 8>>>(x = [n], y = [n], n = 40)
// g2o-verify: reduced<<<1, 8>>>(x = [n], y = [n], n = 40)
__global__ void own(const double *x, double *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = exp(x[i]);
}

__global__ void rows(const double *x, double *y, const double *w, int m)
{
    double *out = y + blockIdx.x * m;
    const double *in = x + blockIdx.x * m;
    double sum = 0;
    for (int c = 0; c < m; ++c)
        sum += w[c] * w[c];
    for (int c = threadIdx.x; c < m; c += blockDim.x)
        out[c] = in[c] / (1 + sum);
}

__global__ void halves(const double *x, double *y, int n)
{
    for (int i = 0; i < n / 4; ++i)
        y[threadIdx.x * (n / 4) + i / 2] = exp(x[threadIdx.x * (n / 4) + i]);
}

__global__ void twice(const double *x, double *y, int n, int m)
{
    for (int j = 0; j < m; ++j)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            y[i] = exp(x[i] * j);
}

__global__ void moved(const double *x, double *y, int n)
{
    double *p = y;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        p = i % 8 < 4 ? y : y + n - 4;
        p[i] = exp(x[i]);
    }
}

__global__ void neighbour(const double *x, double *y, int n)
{
    for (int i = 0; i < n; ++i) {
        y[i] = exp(x[i]);
        y[i + 1] = x[i] * x[i];
    }
}

__global__ void changed_index(const double *x, double *y, int n)
{
    int k = 1;
    for (int i = 0; i < n; ++i) {
        y[i + k] = exp(x[i]);
        k = 1 - k;
        y[i + k] = y[i + k] * x[i];
    }
}

__global__ void narrow(const double *x, double *y, int n)
{
    for (int i = 0; i < n; ++i)
        y[(unsigned char)i] = exp(x[i]);
}

__global__ void behind(const double *x, double *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = exp(x[i]);
    __syncthreads();
    y[threadIdx.x] = y[threadIdx.x + 8] * x[threadIdx.x];
}

__global__ void turned(const double *x, double *y, int n)
{
    for (int i = 0; i < n; ++i) {
        y[(threadIdx.x + i) % 8] = exp(x[threadIdx.x] * i);
        __syncthreads();
    }
}

__global__ void read_later(const double *x, double *y, double *z, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = sin(x[i]);
        z[i] = y[i] * y[i] * x[i];
        for (int k = 0; k < 3; ++k)
            z[i] += exp(y[i] * k);
    }
}

__global__ void with_parts(const double *x, double *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = exp(x[i]);
        if (i % 3 == 0)
            y[i] = y[i] / (2 + x[i]);
    }
}

__global__ void reduced(const double *x, double *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        y[i] = exp(x[i]);
        for (int k = 0; k < 3; ++k)
            y[i] = y[i] * 0.5 + x[i] * y[i];
    }
}
