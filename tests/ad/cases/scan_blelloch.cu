// An exclusive scan by up-sweep and down-sweep: shared memory is swapped and overwritten in place.
// g2o-verify: scan<<<3, 8>>>(x = [48], y = [48])
#define COUNT 16

__global__ void scan(const double *x, double *y)
{
    __shared__ double s[COUNT];
    int t = threadIdx.x, base = blockIdx.x * COUNT;
    s[2 * t] = x[base + 2 * t];
    s[2 * t + 1] = x[base + 2 * t + 1];
    int offset = 1;
    for (int d = COUNT / 2; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        s[COUNT - 1] = 0.0;
    for (int d = 1; d < COUNT; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            double left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();
    y[base + 2 * t] = s[2 * t] * s[2 * t];
    y[base + 2 * t + 1] = s[2 * t + 1];
}
