// A 5-point stencil in two dimensions.
#pragma g2o grad (v)/(u)
void heat_step(int n, double k, const double *restrict u, double *restrict v)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j) {
            int c = i * n + j;
            v[c] = u[c] + k * (u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c]);
        }
}
