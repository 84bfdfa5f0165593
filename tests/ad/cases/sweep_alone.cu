// Reverse sweeps that could follow a call of the primal, but for what it has overwritten by then.
// g2o-verify: alone<<<3, 32>>>(x = [96], y = [96], from = [96 : (i * 5 + 2) % 96], n = 96)
// g2o-verify: index_goes<<<3, 32>>>(x = [96], y = [96], from = [96 : (i * 5 + 2) % 96])
// g2o-verify: input_goes<<<3, 32>>>(x = [96])
// g2o-verify: condition_is_shared<<<3, 32>>>(x = [96], y = [96])
// g2o-verify: counted_in_shared<<<3, 32>>>(x = [96], y = [96])
__global__ void alone(const double *x, double *y, const int *from, int n)
{
    __shared__ double s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    int k = from[i];
    s[t] = k < n / 2 ? 2.0 * x[k] : x[k] * x[k];
    __syncthreads();
    for (int j = 1; j < 4; ++j)
        y[i] += j * s[(t + j) % 32];
}

__global__ void index_goes(const double *x, double *y, int *from)
{
    __shared__ double s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    s[t] = 3.0 * x[from[i]];
    __syncthreads();
    from[i] = 0;
    y[i] = s[31 - t];
}

__global__ void input_goes(double *x)
{
    __shared__ double s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    s[t] = x[i] * x[i];
    __syncthreads();
    x[i] = s[31 - t];
}

__global__ void condition_is_shared(const double *x, double *y)
{
    __shared__ double s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    s[t] = x[i];
    __syncthreads();
    if (s[31 - t] > 0.5)
        y[i] = 2.0 * s[31 - t];
    else
        y[i] = -s[31 - t];
}

__global__ void counted_in_shared(const double *x, double *y)
{
    __shared__ double s[32];
    __shared__ int many[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    s[t] = x[i];
    many[t] = x[i] > 0.3 ? 3 : 1;
    __syncthreads();
    for (int j = 0; j < many[31 - t]; ++j)
        y[i] += s[(t + j) % 32];
}
