// Sparse matrix times vector in ELL form: strips of rows, one entry of each at a time.
//
// usage: ell_product [rows] [entries of a row] [repeats]

#include "ell_product.hpp"

constexpr int STRIP = 256;

static void multiply(const Ell &a, float *y)
{
    const int rows = a.rows;
    const float *x = a.x.data();
#pragma omp parallel for schedule(static)
    for (int first = 0; first < rows; first += STRIP) {
        const int count = std::min(STRIP, rows - first);
        float sum[STRIP] = {};
        for (int k = 0; k < a.width; ++k) {
            const int *column = a.column.data() + k * rows + first;
            const float *value = a.value.data() + k * rows + first;
            // Entries that are only padding are 0 and meet the first element.
#pragma omp simd
            for (int i = 0; i < count; ++i)
                sum[i] += value[i] * x[column[i] < 0 ? 0 : column[i]];
        }
        std::copy_n(sum, count, y + first);
    }
}

int main(int argc, char **argv)
{
    const Ell a = make_ell(argc, argv);
    std::vector<float> y(a.rows);
    const Stopwatch watch;
    for (int r = 0; r < a.repeats; ++r)
        multiply(a, y.data());
    const double ms = watch.milliseconds();
    return finish(a, y, ms);
}
