// A switch whose cases break off, go on with the loop around it, fall through and declare variables.
// g2o-verify: switch_jumps<<<2, 16>>>(n = 30, m = 5, mode = [n * m : 0 .. 5], x = [n], y = [n])
__global__ void switch_jumps(const int *mode, const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int k = 0; k < m; ++k) {
        switch (mode[i * m + k]) {
        case 0:
            v = sin(v);
            if (v > 0.7)
                break;
            v = v * v;
            break;
        case 1: {
            double half = 0.5 * v;
            if (half > 0.3)
                continue;
            v += half;
            [[fallthrough]];
        }
        case 2:
            double root;
            root = sqrt(1.0 + v * v);
            v = v / root;
            if (k > 2) {
                v *= 1.5;
            } else {
                v *= x[i];
                break;
            }
            [[fallthrough]];
        default:
            v = v - 0.1 * v * v;
        }
        v *= 1.0 + 0.1 * v;
    }
    y[i] = v;
}
