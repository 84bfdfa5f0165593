// A uniform call in a kernel with barriers.
// g2o-verify: in_block<<<2, 16>>>(n = 30, in = [n], out = [32])
__device__ double total(const double *v, int n)
{
    double s = 0.0;
    for (int k = 0; k < n; ++k)
        s += v[k] * v[k];
    return s;
}
__global__ void in_block(const double *in, double *out, int n)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    s[t] = i < n ? in[i] * total(in, n) : 0.0;
    __syncthreads();
    if (i >= n)
        return;
    out[i] = s[t] * s[15 - t] + total(in, n);
}
