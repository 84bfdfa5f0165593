// Several threads of a block store the same number: one of them takes the seed.
// g2o-verify: shared_by_four<<<3, 32>>>(x = [96], y = [96])
// g2o-verify: shared_by_all<<<3, 32>>>(x = [96], y = [96])
// g2o-verify: one_number<<<3, 32>>>(x = [96], y = [96])
// g2o-verify: one_after_all<<<3, 32>>>(x = [96], y = [96])
// g2o-verify: through_pointers<<<3, 32, 512>>>(x = [96], y = [96])
__global__ void shared_by_four(const double *x, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t / 4] = x[t / 4] * x[t / 4];
    __syncthreads();
    y[i] = s[t % 8] * x[i];
}

__global__ void shared_by_all(const double *x, double *y)
{
    __shared__ double s[2];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[1] = x[blockIdx.x] * x[1];
    s[0] = 2.0 * x[blockIdx.x];
    __syncthreads();
    y[i] = s[t % 2] * x[i];
}

__global__ void one_number(const double *x, double *y)
{
    __shared__ double s[32], product;
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = x[i];
    __syncthreads();
    product = s[0] * s[3];
    __syncthreads();
    y[i] = product * x[i];
}

// One thread stores behind all others.
__global__ void one_after_all(const double *x, double *y)
{
    __shared__ double w, v;
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    w = 1.0;
    v = x[0];
    __syncthreads();
    if (t == 5) {
        w = x[i] * x[i];
        v = x[i] * v;
    }
    __syncthreads();
    y[i] = x[i] * w + v;
}

__global__ void through_pointers(const double *x, double *y)
{
    extern __shared__ double memory[];
    double *a = memory, *b = memory + blockDim.x;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    a[t] = x[i];
    __syncthreads();
    b[0] = a[1] * a[2];
    b[1] = 1.0;
    __syncthreads();
    if (t == 3)
        b[1] = b[0] * a[t];
    __syncthreads();
    y[i] = b[0] * b[1] * a[t];
}
