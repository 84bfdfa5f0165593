// What threads at the rim compute from a tile that is unset there may be infinite: no seed, no sum.
// g2o-verify: unset_quotients<<<2, (4, 4)>>>(x = [24], w = [4], y = [24], rows = 6)
__global__ void unset_quotients(const double *x, const double *w, double *y, int rows)
{
    __shared__ double tile[4][4];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.x * 4 + ty;
    if (r < rows)
        tile[ty][tx] = x[r * 4 + tx];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += w[k] / tile[ty][k];
    if (r < rows)
        y[r * 4 + tx] = sum;
}
// g2o-verify: unset_logarithms<<<2, (4, 4)>>>(x = [24], w = [4], y = [24], rows = 6)
__global__ void unset_logarithms(const double *x, const double *w, double *y, int rows)
{
    __shared__ double tile[4][4];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.x * 4 + ty;
    if (r < rows)
        tile[ty][tx] = x[r * 4 + tx];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += w[k] * log(tile[ty][k]);
    if (r < rows)
        y[r * 4 + tx] = sum;
}
// g2o-verify: unset_roots<<<2, (4, 4)>>>(x = [24], w = [4], y = [24], rows = 6)
__global__ void unset_roots(const double *x, const double *w, double *y, int rows)
{
    __shared__ double tile[4][4];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.x * 4 + ty;
    if (r < rows)
        tile[ty][tx] = x[r * 4 + tx];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += sqrt(w[k] * tile[ty][k]);
    if (r < rows)
        y[r * 4 + tx] = sum;
}
