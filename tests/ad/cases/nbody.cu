// All pairs of bodies: every thread reads all positions.
// g2o-verify: forces<<<2, 16>>>(n = 24, body = [n : -1 .. 1], force = [n])
__global__ void forces(const double4 *__restrict__ body, double3 *__restrict__ force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double fx = 0.0, fy = 0.0, fz = 0.0;
    for (int j = 0; j < n; ++j) {
        double dx = body[j].x - body[i].x;
        double dy = body[j].y - body[i].y;
        double dz = body[j].z - body[i].z;
        double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.05);
        double s = body[j].w * inverse * inverse * inverse;
        fx += dx * s;
        fy += dy * s;
        fz += dz * s;
    }
    force[i].x = fx;
    force[i].y = fy;
    force[i].z = fz;
}
