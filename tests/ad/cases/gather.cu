// Indirect reads: several threads may read one location.
// g2o-verify: gather<<<2, 32>>>(n = 60, m = 17, index = [n : 0 .. m - 1], x = [m], y = [n])
__global__ void gather(const int *index, const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && index[i] < m)
        y[i] = x[index[i]] * x[index[i]];
}
