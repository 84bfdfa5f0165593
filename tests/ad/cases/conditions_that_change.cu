// Conditions that change counters, angles that their own sine overwrites, assertions.
// g2o-verify: counted<<<2, 32>>>(n = 60, x = [64], y = [60], q = [60 : 0 .. 0])
// g2o-verify: angles<<<2, 32>>>(n = 60, x = [60], y = [60])
#include <cassert>

__global__ void counted(const double *x, double *y, int *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    assert(v > 0.0);
    int c = i % 4, d = 0;
    for (int r = 0; r < 4; ++r) {
        if (++c % 3 == 0)
            v *= x[i];
        else if ((d = c + r) % 2)
            v += x[i] * d;
        else if (atomicAdd(&q[i], 1) > 0)
            v *= 0.5;
        if (c-- > 3 && v > 0.2) {
            v *= v * 0.3;
            if (c++ > 5)
                continue;
            v += 0.1 * v * c;
        }
        if (--d == 3)
            break;
        int k = r;
        while (true) {
            v *= 0.97;
            if (++k > 4)
                break;
            v += x[(i + k) % n] * 0.1;
        }
    }
    y[i] = v * v;
}

__global__ void angles(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], c;
    sincosf(v, &v, &c);
    y[i] = v + 3 * c * c;
    sincosf(y[i] * v, &y[i], &v);
    y[i] += v * c;
}
