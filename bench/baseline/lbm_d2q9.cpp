// Lattice Boltzmann flow around a cylinder: D2Q9, BGK collision, pull streaming.
//
// The domain is periodic in both directions and a constant force drives the fluid to the
// right. Solid cells reflect what would stream out of them (half-way bounce-back).
//
// usage: lbm_d2q9 [nx] [ny] [steps]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr int Q = 9;
constexpr float OMEGA = 1.2f;  // relaxation rate
constexpr float FORCE = 1e-5f; // momentum put in per cell and step
constexpr int CHUNK = 128;     // cells of a row that are treated together

//   6 2 5
//   3 0 1
//   7 4 8
constexpr int DX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int DY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int OPPOSITE[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr float WEIGHT[Q] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                             1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

struct Lattice {
    int nx, ny;
    size_t cells() const { return static_cast<size_t>(nx) * ny; }
    // Position of the distribution in direction q of the first cell of a row.
    size_t row(int q, int y) const { return q * cells() + static_cast<size_t>(y) * nx; }
};

// Stream and collide for the cells first <= x < first + count of row y. `shift[q]` is added
// to x to get the cell that the distribution comes from.
static void update_run(const Lattice &l, const float *__restrict__ src, float *__restrict__ dst,
                       const unsigned char *__restrict__ solid, int y, int first, int count,
                       const int *shift)
{
    float f[Q][CHUNK], rho[CHUNK] = {}, ux[CHUNK] = {}, uy[CHUNK] = {}, uu[CHUNK];
    const unsigned char *here_solid = solid + l.row(0, y) + first;

    for (int q = 0; q < Q; ++q) {
        const int from_y = (y - DY[q] + l.ny) % l.ny;
        const float *from = src + l.row(q, from_y) + first + shift[q];
        const float *reflected = src + l.row(OPPOSITE[q], y) + first;
        const unsigned char *from_solid = solid + l.row(0, from_y) + first + shift[q];
        const float dx = DX[q], dy = DY[q];
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const float streamed = from[i], back = reflected[i];
            const float value = from_solid[i] ? back : streamed;
            f[q][i] = value;
            rho[i] += value;
            ux[i] += dx * value;
            uy[i] += dy * value;
        }
    }
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        ux[i] /= rho[i];
        uy[i] /= rho[i];
        uu[i] = 1.5f * (ux[i] * ux[i] + uy[i] * uy[i]);
    }
    for (int q = 0; q < Q; ++q) {
        const float *own = src + l.row(q, y) + first;
        float *to = dst + l.row(q, y) + first;
        const float dx = DX[q], dy = DY[q], weight = WEIGHT[q];
        const float push = 3.0f * weight * dx * FORCE;
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const float cu = 3.0f * (dx * ux[i] + dy * uy[i]);
            const float equilibrium = weight * rho[i] * (1.0f + cu + 0.5f * cu * cu - uu[i]);
            const float collided = f[q][i] + OMEGA * (equilibrium - f[q][i]) + push;
            const float unchanged = own[i];
            to[i] = here_solid[i] ? unchanged : collided;
        }
    }
}

static void stream_collide(const Lattice &l, const float *src, float *dst,
                           const unsigned char *solid)
{
    // Only the first and the last cell of a row look around the corner.
    int left[Q], inner[Q], right[Q];
    for (int q = 0; q < Q; ++q) {
        inner[q] = -DX[q];
        left[q] = DX[q] > 0 ? l.nx - 1 : -DX[q];
        right[q] = DX[q] < 0 ? 1 - l.nx : -DX[q];
    }
#pragma omp parallel for schedule(static)
    for (int y = 0; y < l.ny; ++y) {
        update_run(l, src, dst, solid, y, 0, 1, left);
        for (int x = 1; x < l.nx - 1; x += CHUNK)
            update_run(l, src, dst, solid, y, x, std::min(CHUNK, l.nx - 1 - x), inner);
        update_run(l, src, dst, solid, y, l.nx - 1, 1, right);
    }
}

// The same step, serially and in double precision.
static void reference_step(const Lattice &l, const std::vector<float> &src,
                           std::vector<double> &dst, const std::vector<unsigned char> &solid)
{
    for (int y = 0; y < l.ny; ++y) {
        for (int x = 0; x < l.nx; ++x) {
            const bool inside = solid[l.row(0, y) + x];
            double f[Q], rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; ++q) {
                const int from_x = (x - DX[q] + l.nx) % l.nx, from_y = (y - DY[q] + l.ny) % l.ny;
                f[q] = solid[l.row(0, from_y) + from_x] ? src[l.row(OPPOSITE[q], y) + x]
                                                        : src[l.row(q, from_y) + from_x];
                rho += f[q];
                ux += DX[q] * f[q];
                uy += DY[q] * f[q];
            }
            ux /= rho;
            uy /= rho;
            for (int q = 0; q < Q; ++q) {
                const double w = q == 0 ? 4.0 / 9 : q < 5 ? 1.0 / 9 : 1.0 / 36;
                const double cu = 3 * (DX[q] * ux + DY[q] * uy);
                const double eq = w * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                dst[l.row(q, y) + x] = inside
                                           ? static_cast<double>(src[l.row(q, y) + x])
                                           : f[q] + OMEGA * (eq - f[q]) + 3 * w * DX[q] * FORCE;
            }
        }
    }
}

int main(int argc, char **argv)
{
    const int nx = argc > 1 ? atoi(argv[1]) : 100;
    const int ny = argc > 2 ? atoi(argv[2]) : 30;
    const int steps = argc > 3 ? atoi(argv[3]) : 10;
    if (nx < 8 || ny < 8 || steps < 1) {
        fprintf(stderr, "usage: lbm_d2q9 [nx >= 8] [ny >= 8] [steps]\n");
        return 2;
    }

    // Fluid at rest with a slightly disturbed density, a cylinder in the first third.
    const Lattice l{nx, ny};
    const size_t cells = l.cells();
    std::vector<float> src(Q * cells), dst(Q * cells);
    std::vector<unsigned char> solid(cells);
    const float radius = ny / 6.0f;
    unsigned seed = 17;
    for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
            const float rx = x - nx / 3.0f, ry = y - ny / 2.0f;
            solid[l.row(0, y) + x] = rx * rx + ry * ry < radius * radius;
            seed = seed * 69069u + 1u;
            const float rho = 1.0f + 0.01f * static_cast<float>(seed >> 16) / 65536.0f;
            for (int q = 0; q < Q; ++q)
                src[l.row(q, y) + x] = rho * WEIGHT[q];
        }
    }

    const auto begin = std::chrono::steady_clock::now();
    for (int t = 0; t < steps; ++t) {
        stream_collide(l, src.data(), dst.data(), solid.data());
        std::swap(src, dst);
    }
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    // After the swap dst is the state before the last step: repeat that one serially.
    std::vector<double> expected(Q * cells);
    reference_step(l, dst, expected, solid);

    double worst = 0.0, mass = 0.0, flow = 0.0;
    for (size_t i = 0; i < Q * cells; ++i) {
        worst = std::fmax(worst, std::fabs(src[i] - expected[i]));
        mass += src[i];
    }
    const auto f = [&](int q, size_t c) { return src[q * cells + c]; };
    for (size_t c = 0; c < cells; ++c)
        if (!solid[c])
            flow += (f(1, c) + f(5, c) + f(8, c)) - (f(3, c) + f(6, c) + f(7, c));

    const bool pass = worst < 1e-5 && std::fabs(mass / cells - 1.005) < 1e-2;
    printf("mass %.4e\n", mass);
    printf("flow %.2e\n", flow);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
