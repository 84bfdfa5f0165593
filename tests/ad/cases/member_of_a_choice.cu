// Members and elements of what a condition chooses.
// g2o-verify: member<<<2, 8>>>(x = [16], y = [16])
// g2o-verify: element<<<2, 8>>>(x = [16], y = [16], z = [16])
// g2o-verify: nested<<<2, 8>>>(x = [16], y = [16])
__global__ void member(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double2 a = make_double2(x[i], y[i]), b = a;
    (i % 2 ? a : b).x *= x[i];
    y[i] = a.x * b.x + a.y * b.y + (i % 3 ? b : a).y * x[i];
}

__global__ void element(const double *x, double *y, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (i % 2 ? y : z)[i] = x[i] * y[i] * z[i];
    *(i % 3 ? &y[i] : &z[i]) *= x[i];
}

struct Pair {
    double2 first;
    double second[2];
};

__global__ void nested(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair a, b;
    a.first = make_double2(x[i], 0.5);
    a.second[0] = a.second[1] = x[i] * x[i];
    b = a;
    (i % 2 ? a : b).first.y += x[i];
    (i % 3 ? a : i % 5 ? b : a).second[i % 2] *= a.first.y;
    y[i] = a.first.x * b.first.y + a.second[0] * b.second[1] + a.second[1] * b.second[0];
}
