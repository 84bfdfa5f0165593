// Dynamic shared memory that is shared out among arrays of real numbers and of integers.
// g2o-verify: counts_behind<<<2, 16, 16 * 12>>>(x = [30], y = [30], n = 30)
// g2o-verify: behind_an_element<<<2, 16, 16 * 12>>>(x = [30], y = [30], n = 30)
// g2o-verify: three_parts<<<2, 16, 16 * 20>>>(x = [30], y = [30], n = 30)
__global__ void counts_behind(const double *x, double *y, int n)
{
    extern __shared__ char memory[];
    double *a = (double *)memory;
    int *where = (int *)(a + blockDim.x);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    a[t] = i < n ? x[i] : 0;
    where[t] = (t * 3 + 1) % blockDim.x;
    __syncthreads();
    if (i < n)
        y[i] = a[where[t]] * a[t];
}

__global__ void behind_an_element(const double *x, double *y, int n)
{
    extern __shared__ double values[];
    int *where = (int *)&values[blockDim.x];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? x[i] : 0;
    where[t] = t ^ 1;
    __syncthreads();
    if (i < n)
        y[i] = values[where[t]] * values[t];
}

__global__ void three_parts(const double *x, double *y, int n)
{
    extern __shared__ unsigned char bytes[];
    double *a = reinterpret_cast<double *>(bytes), *b = a + blockDim.x;
    unsigned *where = reinterpret_cast<unsigned *>(b + blockDim.x);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    a[t] = i < n ? x[i] : 0;
    b[t] = a[t] * a[t];
    where[t] = blockDim.x - 1 - t;
    __syncthreads();
    if (i < n)
        y[i] = sin(b[where[t]]) * a[t];
}
