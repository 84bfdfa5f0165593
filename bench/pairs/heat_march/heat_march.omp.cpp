// Heat in a box: rows of cells, one after the other as they lie in memory; the first and the last
// cell of a row apart.
//
// usage: heat_march [nx] [ny] [nz] [steps]

#include "heat_march.hpp"

static void step_box(const float *in, const float *power, float *out, int nx, int ny, int nz)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y) {
            const int row = (z * ny + y) * nx, layer = nx * ny;
            const float *here = in + row, *heat = power + row;
            const float *north = y == 0 ? here : here - nx;
            const float *south = y == ny - 1 ? here : here + nx;
            const float *below = z == 0 ? here : here - layer;
            const float *above = z == nz - 1 ? here : here + layer;
            float *to = out + row;
            const auto cell = [=](int x, int west, int east) {
                return CENTRE * here[x] + ALONG_X * (here[west] + here[east]) +
                       ALONG_Y * (north[x] + south[x]) + ALONG_Z * (below[x] + above[x]) +
                       STEP * heat[x];
            };
            to[0] = cell(0, 0, std::min(1, nx - 1));
#pragma omp simd
            for (int x = 1; x < nx - 1; ++x)
                to[x] = cell(x, x - 1, x + 1);
            if (nx > 1)
                to[nx - 1] = cell(nx - 1, nx - 2, nx - 1);
        }
}

int main(int argc, char **argv)
{
    const Box box = make_box(argc, argv);
    std::vector<float> now = box.temperature, next(now.size());
    const Stopwatch watch;
    for (int step = 0; step < box.steps; ++step) {
        step_box(now.data(), box.power.data(), next.data(), box.nx, box.ny, box.nz);
        std::swap(now, next);
    }
    const double ms = watch.milliseconds();
    return finish(box, now, ms);
}
