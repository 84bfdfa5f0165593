// Lennard-Jones forces: the list of each atom; neighbours that are too far away are passed over.
//
// usage: neighbour_forces [atoms along an edge] [repeats]

#include "neighbour_forces.hpp"

static void forces(const Atoms &atoms, Vector4 *force)
{
    const int n = atoms.count;
    const Vector4 *position = atoms.position.data();
    const int *neighbour = atoms.neighbour.data();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
        const Vector4 here = position[i];
        const int length = atoms.length[i];
        float fx = 0.0f, fy = 0.0f, fz = 0.0f;
        for (int k = 0; k < length; ++k) {
            const Vector4 &there = position[neighbour[k * n + i]];
            const float dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
            const float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= CUTOFF * CUTOFF)
                continue;
            const float inverse = 1.0f / r2;
            const float sixth = inverse * inverse * inverse;
            const float factor = inverse * sixth * (LJ1 * sixth - LJ2);
            fx += dx * factor;
            fy += dy * factor;
            fz += dz * factor;
        }
        force[i] = {fx, fy, fz, 0.0f};
    }
}

int main(int argc, char **argv)
{
    const Atoms atoms = make_atoms(argc, argv);
    std::vector<Vector4> force(atoms.count);
    const Stopwatch watch;
    for (int r = 0; r < atoms.repeats; ++r)
        forces(atoms, force.data());
    const double ms = watch.milliseconds();
    return finish(atoms, force, ms);
}
