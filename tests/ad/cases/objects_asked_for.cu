// What functions store into objects only where there are any: the address of a variable says that.
// g2o-verify: forces<<<1, 16>>>(n = 12, x = [12], f = [12], energy = [12])
struct Sums {
    double energy, parts[2];
};
__device__ double pair(double r, double *energy, double *squares, double *nothing)
{
    if (r == 0.0)
        return 0.0;
    const double s = 1.0 / r;
    if (energy)
        *energy += s * s;
    if (squares != nullptr && r > 0.01)
        *squares += nothing ? 2.0 : r * r;
    if (!energy)
        return 5.0;
    if (nothing)
        *nothing += s;
    return s * r * r;
}
__global__ void forces(const double *x, double *f, double *energy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Sums sums{0.0, {0.0, 0.0}};
    double all = 0.0;
    for (int j = 0; j < n; ++j)
        all += pair(x[i] - x[j], &sums.energy, &sums.parts[1], nullptr);
    f[i] = all;
    energy[i] = 0.5 * sums.energy + sums.parts[1];
}
