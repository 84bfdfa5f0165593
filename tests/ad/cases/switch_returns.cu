// A switch that returns, alone and in a loop.
// g2o-verify: switch_returns<<<2, 32>>>(n = 60, x = [n], k = [n : 0 .. 5], y = [n])
// g2o-verify: switch_in_loop<<<2, 32>>>(n = 60, x = [n], k = [n : 0 .. 5], y = [n])
__global__ void switch_returns(const double *x, const int *k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    switch (k[i]) {
    case 0:
        v *= v;
        [[fallthrough]];
    case 1:
        v += 2 * x[i];
        break;
    case 2:
        y[i] = v * 3;
        return;
    case 3:
        v = sin(v);
        [[fallthrough]];
    default:
        v *= x[i];
        [[fallthrough]];
    case 4:
        v -= 1.0;
    }
    y[i] = v * v;
}

__global__ void switch_in_loop(const double *x, const int *k, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int j = 0; j < 6; ++j) {
        switch ((k[i] + j) % 6) {
        case 0:
            v *= v;
            break;
        case 1:
            continue;
        case 2:
            if (v > 0.7) {
                y[i] = v * 3;
                return;
            }
            [[fallthrough]];
        case 3:
            v = sin(v);
            break;
        default:
            v *= x[i];
        }
        v += 0.1;
    }
    y[i] = v * v;
}
