// Lanes may meet in shared memory inside of a switch: that is a barrier of the warp in a case.
// g2o-verify: modes<<<2, 8>>>(n = 16, m = 2, a = 0.7, x = [n], y = [n])
// g2o-verify: modes<<<2, 8>>>(n = 16, m = 3, a = 0.7, x = [n], y = [n])
__global__ void modes(const double *x, double *y, int n, int m, double a)
{
    __shared__ double s[2][4];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    s[t % 2][t / 2] = x[i];
    double h = __shfl_xor_sync(0xff, x[i], 1, 8);
    switch (m % 3) {
    case 0:
        h = a;
        break;
    default:
        s[t % 2][t / 2] *= h;
    }
    y[i] = sin(h) + s[t % 2][t / 2];
}
