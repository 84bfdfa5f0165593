// Forces between all pairs of bodies, coordinates in arrays of their own.
#include <math.h>

#pragma g2o grad (fx, fy, fz)/(x, y, z, mass)
void forces(int n, const double *restrict x, const double *restrict y, const double *restrict z,
            const double *restrict mass, double *restrict fx, double *restrict fy,
            double *restrict fz)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        double sx = 0.0, sy = 0.0, sz = 0.0;
        for (int j = 0; j < n; ++j) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double square = dx * dx + dy * dy + dz * dz + 1e-3;
            double s = mass[j] / (square * sqrt(square));
            sx += s * dx;
            sy += s * dy;
            sz += s * dz;
        }
        fx[i] = sx;
        fy[i] = sy;
        fz[i] = sz;
    }
}
