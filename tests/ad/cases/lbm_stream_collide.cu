// Lattice Boltzmann, D2Q9: values are pulled from neighbours, collide, and are written in place of
// the cell. Periodic, so that every location is read once: nothing has to be atomic.
// g2o-verify: stream_collide<<<(2, 2), (4, 4)>>>(width = 6, height = 5, omega = 1.2,
//     from = [9 * 30], to = [9 * 30])
__constant__ int CX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int CY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double WEIGHT[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

__global__ void stream_collide(const double *__restrict__ from, double *__restrict__ to, int width,
                               int height, double omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int cells = width * height;
    double f[9], density = 0.0, ux = 0.0, uy = 0.0;
    for (int q = 0; q < 9; ++q) {
        int sx = (x - CX[q] + width) % width, sy = (y - CY[q] + height) % height;
        f[q] = from[q * cells + sy * width + sx];
        density += f[q];
        ux += CX[q] * f[q];
        uy += CY[q] * f[q];
    }
    ux /= density;
    uy /= density;
    double square = 1.5 * (ux * ux + uy * uy);
    for (int q = 0; q < 9; ++q) {
        double along = 3.0 * (CX[q] * ux + CY[q] * uy);
        double equilibrium =
            WEIGHT[q] * density * (1.0 + along + 0.5 * along * along - square);
        to[q * cells + y * width + x] = f[q] - omega * (f[q] - equilibrium);
    }
}
