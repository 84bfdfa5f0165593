// A switch with fall-through, default and several labels.
// g2o-verify: switch_modes<<<2, 32>>>(n = 60, mode = [n : 0 .. 5], x = [n], y = [n])
__global__ void switch_modes(const int *mode, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    switch (mode[i]) {
    case 0:
        v = sin(v);
        break;
    case 1:
        v = v * v;
        [[fallthrough]];
    case 2:
        v = 1.0 / v;
        break;
    case 3:
    case 4:
        v = exp(-v);
        break;
    default:
        v = 5.0;
    }
    y[i] = v;
}
