// Value parameters of struct and vector types that each thread changes in a loop.
// g2o-verify: changed<<<2, 8>>>(n = 14, x = [n], y = [n], c = {0.5, 1.5, 2.5}, p = {1.0f, 0.5f})
struct C {
    double a, b, c;
};
__global__ void changed(const double *x, double *y, C c, float2 p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    for (int j = 0; j < 3; ++j) {
        v = c.a * v + c.b;
        c.b *= p.x;
        p.y += c.c;
    }
    y[i] = v * p.y;
}
