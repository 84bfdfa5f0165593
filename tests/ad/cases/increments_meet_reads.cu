// Additions to the shadow of w stay in the loop: behind it, threads read that shadow.
// g2o-verify: turned<<<2, 8>>>(n = 16, x = [n], y = [n])
__global__ void turned(const double *x, double *y, int n)
{
    __shared__ double s[8];
    __shared__ double w[8];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    double u = x[i];
    s[t] = 0.1 * t;
    w[t] = y[i];
    for (int j = 0; j < 2; ++j) {
        __syncthreads();
        u = sin(w[(t + 1) % 8] * u);
        atomicAdd(&s[0], u);
    }
    __syncthreads();
    y[i] = u + s[t];
}

// The same in global memory: threads of a block exchange what is in y.
// g2o-verify: global_memory<<<2, 8>>>(n = 16, x = [n], y = [n])
__global__ void global_memory(const double *x, double *y, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    double u = x[i];
    y[i] = cos(y[i]);
    for (int j = 0; j < 2; ++j) {
        __syncthreads();
        u = sin(y[blockIdx.x * 8 + (t + 1) % 8] * u);
    }
    __syncthreads();
    y[i] = u;
}
