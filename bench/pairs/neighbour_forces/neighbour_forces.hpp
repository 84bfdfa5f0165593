// Lennard-Jones forces between atoms and their neighbours; entry k of all lists lies together.
#pragma once

#include "../support.hpp"

constexpr float CUTOFF = 2.5f;
constexpr float LJ1 = 1.5f, LJ2 = 2.0f;
constexpr float SKIN = 0.4f; // lists go on for that much beyond the cutoff

struct Vector4 {
    float x, y, z, w;
};

struct Atoms {
    int count, repeats, longest;
    std::vector<Vector4> position;
    std::vector<int> length, neighbour;
};

inline float squared(const Vector4 &a, const Vector4 &b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
}

// A lattice whose atoms were shaken.
inline Atoms make_atoms(int argc, char **argv)
{
    Atoms atoms;
    const int side = argument(argc, argv, 1, 8), reach = 3;
    atoms.repeats = argument(argc, argv, 2, 2);
    atoms.count = side * side * side;
    const float spacing = 1.1f, far = CUTOFF + SKIN;
    Random random(1687u);
    const auto shaken = [&](int i) {
        return spacing * (static_cast<float>(i) + 0.3f * random.uniform());
    };
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const float px = shaken(x), py = shaken(y), pz = shaken(z);
                atoms.position.push_back({px, py, pz, 0.0f});
            }
    std::vector<std::vector<int>> lists(atoms.count);
    for (int i = 0; i < atoms.count; ++i) {
        const int x = i % side, y = i / side % side, z = i / side / side;
        for (int c = std::max(z - reach, 0); c <= std::min(z + reach, side - 1); ++c)
            for (int b = std::max(y - reach, 0); b <= std::min(y + reach, side - 1); ++b)
                for (int a = std::max(x - reach, 0); a <= std::min(x + reach, side - 1); ++a) {
                    const int j = (c * side + b) * side + a;
                    if (j != i && squared(atoms.position[i], atoms.position[j]) < far * far)
                        lists[i].push_back(j);
                }
    }
    atoms.longest = 1;
    for (const auto &list : lists) {
        atoms.length.push_back(static_cast<int>(list.size()));
        atoms.longest = std::max(atoms.longest, atoms.length.back());
    }
    atoms.neighbour.assign(static_cast<std::size_t>(atoms.longest) * atoms.count, 0);
    for (int i = 0; i < atoms.count; ++i)
        for (int k = 0; k < atoms.length[i]; ++k)
            atoms.neighbour[k * atoms.count + i] = lists[i][k];
    return atoms;
}

inline int finish(const Atoms &atoms, const std::vector<Vector4> &force, double milliseconds)
{
    double worst = 0.0, sum = 0.0;
    for (int i = 0; i < atoms.count; ++i) {
        double expected[3] = {}, size = 1.0;
        const Vector4 p = atoms.position[i];
        for (int k = 0; k < atoms.length[i]; ++k) {
            const Vector4 q = atoms.position[atoms.neighbour[k * atoms.count + i]];
            const double distance = squared(p, q);
            if (distance >= CUTOFF * CUTOFF)
                continue;
            const double inverse = 1.0 / distance, sixth = inverse * inverse * inverse;
            const double factor = inverse * sixth * (LJ1 * sixth - LJ2);
            expected[0] += (p.x - q.x) * factor;
            expected[1] += (p.y - q.y) * factor;
            expected[2] += (p.z - q.z) * factor;
            size += std::fabs(factor);
        }
        worst = std::max(worst, std::fabs(force[i].x - expected[0]) / size);
        worst = std::max(worst, std::fabs(force[i].y - expected[1]) / size);
        worst = std::max(worst, std::fabs(force[i].z - expected[2]) / size);
        sum += std::fabs(expected[0]);
    }
    return report(worst < 1e-3, sum, milliseconds);
}
