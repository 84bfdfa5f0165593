// Elements that all threads add to, some of the range that the loops run over left out.
// g2o-verify: edge_of_range<<<2, 16>>>(n = 30, r = 3, x = [n], w = [7], y = [n])
__global__ void edge_of_range(const double *x, const double *w, double *y, int n, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0.0;
    for (int k = -r; k <= r; ++k) {
        int p = i + k;
        if (p >= 0 && p < n)
            s += w[k + r] * x[p] * x[p];
    }
    y[i] = s;
}
