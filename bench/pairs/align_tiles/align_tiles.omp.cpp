// Alignment: tiles along a diagonal side by side, rows inside of a tile. What a row needs of the
// one above is a vector loop; only the step to the right is not.
//
// usage: align_tiles [length] [penalty]

#include "align_tiles.hpp"

constexpr int WIDE = 256; // larger than a CUDA block's: few diagonals, long rows

static void align_tile(const int *reference, int *table, int cols, int penalty, int i0, int j0)
{
    const int i1 = std::min(i0 + WIDE, cols), j1 = std::min(j0 + WIDE, cols);
    for (int i = i0; i < i1; ++i) {
        const int *above = table + (i - 1) * cols, *ref = reference + i * cols;
        int *row = table + i * cols;
        int best[WIDE];
#pragma omp simd
        for (int j = j0; j < j1; ++j) {
            const int diagonal = above[j - 1] + ref[j], down = above[j] - penalty;
            best[j - j0] = diagonal > down ? diagonal : down;
        }
        int left = row[j0 - 1];
        for (int j = j0; j < j1; ++j) {
            left = std::max(best[j - j0], left - penalty);
            row[j] = left;
        }
    }
}

int main(int argc, char **argv)
{
    const Sequences s = make_sequences(argc, argv);
    const int cols = s.length + 1, tiles = (s.length + WIDE - 1) / WIDE;
    std::vector<int> table = s.table;
    const Stopwatch watch;
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
        const int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
#pragma omp parallel for schedule(static)
        for (int x = first; x <= last; ++x)
            align_tile(s.reference.data(), table.data(), cols, s.penalty,
                       1 + (diagonal - x) * WIDE, 1 + x * WIDE);
    }
    const double ms = watch.milliseconds();
    return finish(s, table, ms);
}
