// Lists of arrays of arrays: what they leave out is 0, and the braces inside may be left out.
// g2o-verify: left_out<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: without_braces<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: three_levels<<<1, 8>>>(x = [8], y = [8])
__global__ void left_out(const double *x, double *y)
{
    int i = threadIdx.x;
    double v[2][2] = {};
    v[i % 2][0] = x[i] * x[i];
    y[i] = v[0][0] * v[0][1] + v[1][0] * x[i];
}

__global__ void without_braces(const double *x, double *y)
{
    int i = threadIdx.x;
    double p = x[i], q = x[i] * p;
    double v[2][2] = {p, q, q * p};
    double w[2][2] = {{p}, {q, p}};
    y[i] = v[0][0] * v[0][1] + v[1][0] * (v[1][1] + w[0][0]) + w[1][1] * w[1][0] + w[0][1];
}

__global__ void three_levels(const double *x, double *y)
{
    int i = threadIdx.x;
    double v[2][2][3] = {{x[i], 2.0, x[i] * x[i], 1.0}, {{3.0}, {x[i]}}};
    y[i] = v[0][0][0] * v[0][0][2] * v[0][1][0] + v[1][1][0] * v[1][0][0] * v[0][0][1];
}
