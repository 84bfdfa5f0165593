// Transposition tile by tile, through a tile that is small enough for the cache: rows are read and
// rows are written.
//
// usage: transpose_batch [matrices] [rows] [columns] [repeats]

#include "transpose_batch.hpp"

constexpr int TILE = 32;

static void transpose(const Matrices &m, float *output)
{
    const int rows = m.rows, cols = m.cols;
#pragma omp parallel for collapse(2) schedule(static)
    for (int b = 0; b < m.count; ++b)
        for (int c0 = 0; c0 < cols; c0 += TILE) {
            const float *in = m.input.data() + static_cast<std::size_t>(b) * rows * cols;
            float *out = output + static_cast<std::size_t>(b) * rows * cols;
            const int c1 = std::min(c0 + TILE, cols);
            for (int r0 = 0; r0 < rows; r0 += TILE) {
                const int r1 = std::min(r0 + TILE, rows);
                float tile[TILE][TILE];
                for (int r = r0; r < r1; ++r)
                    for (int c = c0; c < c1; ++c)
                        tile[c - c0][r - r0] = in[r * cols + c];
                for (int c = c0; c < c1; ++c)
                    for (int r = r0; r < r1; ++r)
                        out[c * rows + r] = tile[c - c0][r - r0];
            }
        }
}

int main(int argc, char **argv)
{
    const Matrices m = make_matrices(argc, argv);
    std::vector<float> output(m.input.size());
    const Stopwatch watch;
    for (int r = 0; r < m.repeats; ++r)
        transpose(m, output.data());
    const double ms = watch.milliseconds();
    return finish(m, output, ms);
}
