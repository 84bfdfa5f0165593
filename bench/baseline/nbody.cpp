// Gravitational n-body simulation, all pairs, with one array per coordinate.
//
// Build with -fno-math-errno: the error number of the square root is the one thing that
// keeps g++ from vectorising the inner loop.
//
// usage: nbody [bodies] [steps]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr float SOFTENING = 1e-3f;

struct Bodies {
    std::vector<float> x, y, z, mass;
    std::vector<float> vx, vy, vz;
    std::vector<float> ax, ay, az;
    explicit Bodies(int n)
        : x(n), y(n), z(n), mass(n), vx(n), vy(n), vz(n), ax(n), ay(n), az(n)
    {
    }
};

struct Vector {
    float x, y, z;
};

// What all bodies together do to one at (xi, yi, zi).
static Vector force_at(const Bodies &b, float xi, float yi, float zi, int n)
{
    const float *x = b.x.data(), *y = b.y.data(), *z = b.z.data(), *mass = b.mass.data();
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int j = 0; j < n; ++j) {
        const float rx = x[j] - xi, ry = y[j] - yi, rz = z[j] - zi;
        const float inverse = 1.0f / sqrtf(rx * rx + ry * ry + rz * rz + SOFTENING);
        const float pull = mass[j] * inverse * inverse * inverse;
        ax += rx * pull;
        ay += ry * pull;
        az += rz * pull;
    }
    return {ax, ay, az};
}

static void body_force(Bodies &b, int n)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
        const Vector a = force_at(b, b.x[i], b.y[i], b.z[i], n);
        b.ax[i] = a.x;
        b.ay[i] = a.y;
        b.az[i] = a.z;
    }
}

// Semi-implicit Euler step.
static void integrate(Bodies &b, float dt, int n)
{
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
        b.vx[i] += b.ax[i] * dt;
        b.vy[i] += b.ay[i] * dt;
        b.vz[i] += b.az[i] * dt;
        b.x[i] += b.vx[i] * dt;
        b.y[i] += b.vy[i] * dt;
        b.z[i] += b.vz[i] * dt;
    }
}

static float uniform(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return static_cast<float>(*state >> 8) / 16777216.0f;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 300;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 2;
    const float dt = 1e-3f;
    if (n < 1 || steps < 1) {
        std::fprintf(stderr, "usage: %s [bodies] [steps]\n", argv[0]);
        return 2;
    }

    Bodies b(n);
    unsigned int state = 1u;
    for (int i = 0; i < n; ++i) {
        b.x[i] = 2.0f * uniform(&state) - 1.0f;
        b.y[i] = 2.0f * uniform(&state) - 1.0f;
        b.z[i] = 2.0f * uniform(&state) - 1.0f;
        b.mass[i] = (0.5f + uniform(&state)) / n;
    }

    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; ++step) {
        body_force(b, n);
        integrate(b, dt, n);
    }
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    // Forces at the final positions, to compare some of them with a serial sum.
    body_force(b, n);
    double worst = 0.0;
    for (int i = 0; i < n; i += n / 100 + 1) {
        double ax = 0.0, ay = 0.0, az = 0.0;
        for (int j = 0; j < n; ++j) {
            const double rx = static_cast<double>(b.x[j]) - b.x[i];
            const double ry = static_cast<double>(b.y[j]) - b.y[i];
            const double rz = static_cast<double>(b.z[j]) - b.z[i];
            const double d2 = rx * rx + ry * ry + rz * rz + SOFTENING;
            const double pull = b.mass[j] / (d2 * std::sqrt(d2));
            ax += rx * pull;
            ay += ry * pull;
            az += rz * pull;
        }
        const double error =
            std::fabs(ax - b.ax[i]) + std::fabs(ay - b.ay[i]) + std::fabs(az - b.az[i]);
        worst =
            std::fmax(worst, error / (1.0 + std::fabs(ax) + std::fabs(ay) + std::fabs(az)));
    }

    // Nothing acts from outside, so the momentum stays zero.
    double energy = 0.0, px = 0.0, py = 0.0, pz = 0.0;
    for (int i = 0; i < n; ++i) {
        const double vx = b.vx[i], vy = b.vy[i], vz = b.vz[i];
        energy += 0.5 * b.mass[i] * (vx * vx + vy * vy + vz * vz);
        px += b.mass[i] * vx;
        py += b.mass[i] * vy;
        pz += b.mass[i] * vz;
    }

    const bool pass = worst < 1e-4 && std::fabs(px) + std::fabs(py) + std::fabs(pz) < 1e-5;
    std::printf("bodies %d\n", n);
    std::printf("kinetic_energy %.4e\n", energy);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
