// What u is at first in a turn of the loop is dead, so that every thread has an element of s.
// g2o-verify: dead<<<2, 16>>>(n = 32, x = [n], y = [n])
__global__ void dead(const double *x, double *y, int n)
{
    __shared__ double s[16];
    int t = threadIdx.x;
    int i = blockIdx.x * 16 + t;
    double u = x[i];
    s[t] = 0.1 * t;
    for (int j = 0; j < 2; ++j) {
        __syncthreads();
        u += sin(u * s[(t + 1) % 16]);
        u = sin(x[i]);
        __syncthreads();
        s[t] = u * x[i];
    }
    __syncthreads();
    u += sin(u * s[(t + 1) % 16]);
    u = sin(x[i]);
    y[i] = u * s[t];
}
