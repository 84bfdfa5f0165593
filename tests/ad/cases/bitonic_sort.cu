// A sorting network in shared memory: values are exchanged under conditions on them.
// g2o-verify: sort<<<2, 16>>>(x = [32 : -3 .. 3], y = [32])
__global__ void sort(const double *x, double *y)
{
    __shared__ double s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    s[t] = x[i];
    __syncthreads();
    for (int size = 2; size <= 16; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = t ^ stride;
            if (other > t) {
                bool up = (t & size) == 0;
                if ((s[t] > s[other]) == up) {
                    double v = s[t];
                    s[t] = s[other];
                    s[other] = v;
                }
            }
            __syncthreads();
        }
    y[i] = s[t] * (t + 1);
}
