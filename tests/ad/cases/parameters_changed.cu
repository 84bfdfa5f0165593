// Value parameters that the kernel changes, with shadows and without.
// g2o-verify: all<<<2, 32>>>(n = 60, x = [60], y = [60])
// g2o-verify: some<<<2, 32>>>(n = 60, x = [60], w = [60], y = [60])
// g2o-verify: tolerance = 1e-4
struct Setting {
    float u;
    float w[2];
    int c;
};

__global__ void all(float a, double b, float3 c, Setting q, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a += x[i];
        y[i] = a * x[i] + b * c.y * q.w[i % 2] + c.x * q.u * b;
        c.y *= a;
        q.w[1] *= c.y;
        y[i] += c.y * c.z + q.w[1];
    }
}

#pragma g2o grad (y)/(x)
__global__ void some(const double *x, double *w, double *y, double s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    w[i] *= 2.0;
    s = x[i];
    y[i] = s * s * w[i];
}

struct Rates {
    float each[4];
    float last;
};

// g2o-verify: indices_in_values<<<2, 4>>>(x = [8], y = [8], n = 8)
// What the index of a member is changes behind its use, in each iteration.
__global__ void indices_in_values(Rates rates, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i % 4;
    float s = x[i];
    for (int j = 0; j < 3; ++j) {
        s += sinf(rates.each[at] * s);
        at = (at * 3 + 1) % 4;
    }
    for (int j = 0; j < 4; ++j)
        switch ((i + j) % 3) {
        case 0:
            s += rates.each[j] * x[i];
            break;
        case 1:
            s -= cosf(rates.each[j] + s);
            break;
        default:
            break;
        }
    y[i] = s * rates.last;
}
