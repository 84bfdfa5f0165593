// Pointers that walk and come back, numbers that loops choose by, and parameters called as those of a
// launch.
// g2o-verify: pool<<<2, 8>>>(total = 30, x = [40], rois = [2000 : 0 .. 8], P = 4, out = [30])
__global__ void pool(int total, const float *x, const int *rois, int P, float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += blockDim.x * gridDim.x) {
        rois += i;
        int b = rois[0];
        rois -= i;
        float best = 0.1f;
        for (int h = 0; h < 4; ++h)
            if (x[h + b * P] > best)
                best = x[h + b * P];
        out[i] = best * best;
    }
}
// g2o-verify: squares<double><<<2, 16>>>(n = 30, grid = [30], block = [30])
template <typename T> __global__ void squares(int n, const T *grid, T *block)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        block[i] = grid[i] * grid[i];
}
void run(int n, const double *in, double *out) { squares<double><<<2, 16>>>(n, in, out); }
