#include "hash_grid.omp.cpp"

#include "support.hpp"

namespace {

std::uint32_t corner_of(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint64_t resolution,
                        std::uint32_t size)
{
    const std::uint64_t edge = resolution + 1;
    if (edge * edge * edge <= size)
        return std::uint32_t(x + edge * (y + edge * z));
    return (x ^ y * 2654435761u ^ z * 805459861u) % size;
}

// Levels have tables of their own, but they are few: points are shared out, and additions are atomic.
void by_hand(const float *points, const float *table, const int *offsets, float *features, int count,
             int levels, float growth, int base, float *d_table, float *d_features)
{
    for (int level = 0; level < levels; ++level) {
        const float *values = table + offsets[level] * 2;
        float *d_values = d_table + offsets[level] * 2;
        const std::uint32_t size = std::uint32_t(offsets[level + 1] - offsets[level]);
        const float scale = std::exp2(float(level) * growth) * float(base) - 1.0f;
        const std::uint32_t resolution = std::uint32_t(std::ceil(scale)) + 1;
#pragma omp parallel for
        for (int b = 0; b < count; ++b) {
            const float px = points[b * 3] * scale + 0.5f, py = points[b * 3 + 1] * scale + 0.5f,
                        pz = points[b * 3 + 2] * scale + 0.5f;
            const auto x = std::uint32_t(px), y = std::uint32_t(py), z = std::uint32_t(pz);
            const float fx = px - float(x), fy = py - float(y), fz = pz - float(z);
            float *d_out = d_features + (std::size_t(level) * count + b) * 2;
            float *out = features + (std::size_t(level) * count + b) * 2;
            float first = 0.0f, second = 0.0f;
            for (std::uint32_t corner = 0; corner < 8; ++corner) {
                const std::uint32_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
                const float weight = (i ? fx : 1.0f - fx) * (j ? fy : 1.0f - fy) * (k ? fz : 1.0f - fz);
                const std::uint32_t index = corner_of(x + i, y + j, z + k, resolution, size) * 2;
                first += weight * values[index];
                second += weight * values[index + 1];
#pragma omp atomic
                d_values[index] += weight * d_out[0];
#pragma omp atomic
                d_values[index + 1] += weight * d_out[1];
            }
            out[0] = first;
            out[1] = second;
            d_out[0] = d_out[1] = 0.0f;
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int count = argument(argc, argv, 1, 300), levels = 8, base = 16;
    const float growth = 0.8f;
    std::vector<int> offsets{0};
    for (int level = 0; level < levels; ++level) {
        const double scale = std::exp2(level * double(growth)) * base;
        const double corners = std::pow(std::ceil(scale) + 1, 3);
        offsets.push_back(offsets.back() + int(std::min(corners, double(1 << 15))) / 8 * 8 + 8);
    }
    Random random(23u);
    const auto points = random.numbers(std::size_t(count) * 3, 0.0f, 1.0f);
    const auto table = random.numbers(std::size_t(offsets.back()) * 2, -1.0f, 1.0f);
    std::vector<float> features(std::size_t(count) * levels * 2);
    Adjoint adjoint({table.size()}, random.numbers(features.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 2, 2),
        [&](Shadows &d) {
            hash_grid_grad(dim3((count + 511) / 512, levels), 512, points.data(), table.data(),
                           offsets.data(), features.data(), count, levels, growth, base, d[0], d.result());
        },
        [&](Shadows &d) {
            by_hand(points.data(), table.data(), offsets.data(), features.data(), count, levels, growth,
                    base, d[0], d.result());
        });
    return adjoint.report();
}
