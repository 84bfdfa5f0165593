// Each row of the product is added up from rows of `b`.
//
// usage: register_rows [rows] [columns] [depth]

#include "register_rows.hpp"

static void multiply(const float *a, const float *b, float *c, int rows, int columns, int depth)
{
#pragma omp parallel for
    for (int i = 0; i < rows; ++i) {
        float *row = c + i * columns;
        for (int j = 0; j < columns; ++j)
            row[j] = 0.0f;
        for (int k = 0; k < depth; ++k)
#pragma omp simd
            for (int j = 0; j < columns; ++j)
                row[j] += a[k * rows + i] * b[k * columns + j];
    }
}

int main(int argc, char **argv)
{
    const int rows = rounded_up(argument(argc, argv, 1, 48), 8);
    const int columns = rounded_up(argument(argc, argv, 2, 64), 64);
    const int depth = rounded_up(argument(argc, argv, 3, 40), 8);
    const std::vector<float> a = matrix(depth, rows, 3u), b = matrix(depth, columns, 5u);
    std::vector<float> c(static_cast<std::size_t>(rows) * columns);

    const Stopwatch watch;
    multiply(a.data(), b.data(), c.data(), rows, columns, depth);
    const double ms = watch.milliseconds();
    const double sum = checksum(c);
    return report(std::isfinite(sum), sum, ms);
}
