// Pressure, energy and sound speed of an ideal gas with cut-offs, in passes as hydrodynamics codes
// do it: many locals, branches on values, and results that are written in place.
// g2o-verify: equation_of_state<<<2, 32>>>(n = 50, e = [n], p = [n], q = [n], volume = [n],
//     change = [n : -0.3 .. 0.3], work = [n], ss = [n])
__device__ double pressure(double energy, double compression, double volume, double floor)
{
    double p = (2.0 / 3.0) * (compression + 1.0) * energy;
    if (fabs(p) < 1e-7)
        p = 0.0;
    if (volume >= 1.3)
        p *= 0.5;
    return p < floor ? floor : p;
}

__global__ void equation_of_state(double *e, double *p, double *q, const double *volume,
                                  const double *change, const double *work, double *ss, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double floor = 0.01;
    double compression = 1.0 / volume[i] - 1.0;
    double half = volume[i] - 0.5 * change[i];
    double energy = e[i] - 0.5 * change[i] * (p[i] + q[i]) + 0.5 * work[i];
    if (energy < floor)
        energy = floor;
    double p_half = pressure(energy, 1.0 / half - 1.0, volume[i], floor);
    double q_new = 0.0;
    if (change[i] <= 0.0) {
        double sound = (2.0 / 3.0) * energy + half * half * p_half * 0.1;
        sound = sound <= 1e-9 ? 1e-5 : sqrt(sound);
        q_new = 0.3 * sound + 0.2 * q[i];
    }
    energy += 0.5 * change[i] * (3.0 * (p[i] + q[i]) - 4.0 * (p_half + q_new));
    energy += 0.5 * work[i];
    double p_new = pressure(energy, compression, volume[i], floor);
    e[i] = energy;
    p[i] = p_new;
    q[i] = q_new;
    ss[i] = sqrt(0.4 + volume[i] * volume[i] * (p_new * p_new + energy * energy));
}
