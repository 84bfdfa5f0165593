__device__ float max_of(float *address, float value)
{
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__device__ void min_of(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits;
    while (value < __longlong_as_double(old)) {
        unsigned long long assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value));
        if (old == assumed)
            break;
    }
}

// g2o-verify: extremes<<<2, 32>>>(n = 60, bin = [n : 0 .. 3], x = [n], most = [4 : -9 .. -8], y = [n])
__global__ void extremes(const int *bin, const float *x, float *most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        max_of(&most[bin[i]], x[i] * x[i]);
}
// g2o-verify: rows<<<2, 32>>>(n = 60, x = [n * 3], least = [4 : 8 .. 9])
__global__ void rows(const double *x, double *least, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int j = 0; j < 3; ++j)
        min_of(&least[j], sin(x[i * 3 + j]) * x[i * 3]);
}
// g2o-verify: in_block<<<3, 32>>>(n = 80, x = [n], y = [n])
__global__ void in_block(const float *x, float *y, int n)
{
    __shared__ float best;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        best = -100.0f;
    __syncthreads();
    if (i < n)
        max_of(&best, x[i] * 2.0f);
    __syncthreads();
    if (i < n)
        y[i] = expf(x[i] - best);
}
// g2o-verify: punned<<<3, 32>>>(n = 80, x = [n], top = [1 : 0 .. 0.1])
__global__ void punned(const float *x, float *top, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax((int *)top, __float_as_int(x[i] * x[i]));
}
__device__ float signed_max(float *addr, float value)
{
    float old;
    old = (value >= 0) ? __int_as_float(atomicMax((int *)addr, __float_as_int(value)))
                       : __uint_as_float(atomicMin((unsigned int *)addr, __float_as_uint(value)));
    return old;
}
// g2o-verify: both_signs<<<3, 32>>>(n = 80, x = [n], top = [1 : -9 .. -8])
__global__ void both_signs(const float *x, float *top, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        signed_max(top, x[i] - 3.0f);
}
// g2o-verify: strided<<<2, 32>>>(n = 150, x = [n], y = [2])
__global__ void strided(const double *x, double *y, int n)
{
    __shared__ double low[2];
    if (threadIdx.x < 2)
        low[threadIdx.x] = 1e9;
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        min_of(&low[blockIdx.x % 2], x[j] * x[j] + x[(j + 1) % n]);
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = low[blockIdx.x % 2] * x[0];
}

// With the double function of the C library.
__device__ void raise_to(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(fmax(value, __longlong_as_double(assumed))));
    } while (assumed != old);
}
// g2o-verify: in_double<<<3, 32>>>(n = 80, x = [n], top = [2 : -9 .. -8])
__global__ void in_double(const double *x, double *top, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        raise_to(&top[i % 2], sin(3.0 * x[i]));
}
// What is computed again in front of the winner, and kept of one block behind it.
// g2o-verify: beside<<<2, 8>>>(a = 0.7, x = [16], y = [16], top = [3 : -3 .. -2], total = [3])
__global__ void beside(const double *x, double *y, double *top, double *total, double a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i], w = 0.5 * x[i];
    double r = cos(w + a);
    atomicAdd(&total[i % 3], r < 0.41 ? 0.5 * sin(x[i]) : 0.2);
    raise_to(&top[i % 3], cos(a + w));
    __syncthreads();
    y[i] = v * w + 0.1 * y[i];
}
struct Cell {
    double at;
    int kind;
};
// The kinds might lie among the cells, so that the index of the element is kept.
// g2o-verify: by_kind<<<2, 8>>>(n = 35, x = [n], c = [n], top = [3 : -3 .. -2], kind = [n : i % 3])
__global__ void by_kind(const double *x, Cell *c, double *top, const int *kind, int n)
{
    double sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += x[i];
        raise_to(&top[kind[i]], fmin(fmax(sum, -0.8), 0.9));
        c[i].at *= sum;
    }
}
