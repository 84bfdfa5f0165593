// A name that the program gives to `double` does not make another type of it.
// g2o-verify: rows<<<1, 8>>>(x = [8], y = [8])
// g2o-verify: loads<<<1, 8>>>(x = [16], y = [8])
// g2o-verify: members<<<1, 8>>>(x = [8], y = [8])
typedef double real;
struct Vec { real a, b, c; };

__global__ void rows(const double4 *x, double *y) {
    const double4 row = x[threadIdx.x];
    const real *p = reinterpret_cast<const real *>(&row);
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += p[k] * p[k] * (k + 1);
    y[threadIdx.x] = sum;
}

__global__ void loads(const real *x, real *y) {
    double2 pair = *reinterpret_cast<const double2 *>(x + 2 * threadIdx.x);
    y[threadIdx.x] = pair.x * pair.y;
}

__global__ void members(const Vec *x, real *y) {
    Vec v = x[threadIdx.x];
    double *p = &v.a;
    double copy[3];
    memcpy(copy, p, sizeof(copy));
    y[threadIdx.x] = sin(p[0]) * p[2] + copy[1] * copy[0];
}
