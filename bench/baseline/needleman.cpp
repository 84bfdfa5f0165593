// Global alignment of two sequences after Needleman and Wunsch. The score matrix is computed tile
// by tile: the tiles on one anti-diagonal are independent, inside a tile the order is row by row.
//
// usage: needleman [length of the first sequence [length of the second]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>

#define PADDING 16 // lengths are rounded up to a multiple of this
#define TILE 128
#define LETTERS 4

// Score of two letters against each other: transitions cost less than transversions.
static const int substitution_scores[LETTERS * LETTERS] = {
    5, -4, -1, -4, //
    -4, 5, -4, -1, //
    -1, -4, 5, -4, //
    -4, -1, -4, 5, //
};

static inline int max3(int a, int b, int c)
{
    int larger = a > b ? a : b;
    return larger > c ? larger : c;
}

static void align_tile(int *score, const char *first, const char *second, int pitch, int row_begin,
                       int row_end, int col_begin, int col_end, int penalty)
{
    for (int i = row_begin; i < row_end; ++i) {
        const int *match = substitution_scores + first[i - 1] * LETTERS;
        int *row = score + static_cast<size_t>(i) * pitch;
        const int *above = row - pitch;

        // What does not depend on the left neighbour goes first, several cells at a time.
#pragma omp simd
        for (int j = col_begin; j < col_end; ++j)
            row[j] = std::max(above[j - 1] + match[static_cast<int>(second[j - 1])],
                              above[j] - penalty);
        int left = row[col_begin - 1];
        for (int j = col_begin; j < col_end; ++j) {
            left = std::max(row[j], left - penalty);
            row[j] = left;
        }
    }
}

static void align(int *score, const char *first, const char *second, int rows, int cols,
                  int penalty)
{
    const int tile_rows = (rows + TILE - 1) / TILE;
    const int tile_cols = (cols + TILE - 1) / TILE;
#pragma omp parallel
    for (int diagonal = 0; diagonal < tile_rows + tile_cols - 1; ++diagonal) {
        const int first_row = std::max(0, diagonal - tile_cols + 1);
        const int last_row = std::min(diagonal, tile_rows - 1);
#pragma omp for schedule(dynamic)
        for (int tile_row = first_row; tile_row <= last_row; ++tile_row) {
            const int i = 1 + tile_row * TILE;
            const int j = 1 + (diagonal - tile_row) * TILE;
            align_tile(score, first, second, cols + 1, i, std::min(i + TILE, rows + 1), j,
                       std::min(j + TILE, cols + 1), penalty);
        }
    }
}

static int round_up(int length)
{
    return (length + PADDING - 1) / PADDING * PADDING;
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 150;
    const int cols = argc > 2 ? atoi(argv[2]) : (argc > 1 ? rows : 200);
    const int penalty = 6;

    // The second sequence is the first one with about one letter in four replaced.
    const int padded_rows = round_up(rows);
    const int padded_cols = round_up(cols);
    std::vector<char> first(padded_rows, 0), second(padded_cols, 0);
    unsigned state = 4669u;
    for (int i = 0; i < rows; ++i) {
        state = state * 1664525u + 1013904223u;
        first[i] = static_cast<char>(state >> 30);
    }
    for (int j = 0; j < cols; ++j) {
        state = state * 1664525u + 1013904223u;
        const bool keep = j < rows && (state >> 20) % 4 != 0;
        second[j] = keep ? first[j] : static_cast<char>(state >> 30);
    }

    const int pitch = padded_cols + 1;
    const size_t cells = static_cast<size_t>(padded_rows + 1) * pitch;
    std::vector<int> score(cells, 0);
    for (int j = 0; j < pitch; ++j)
        score[j] = -penalty * j;
    for (int i = 0; i <= padded_rows; ++i)
        score[static_cast<size_t>(i) * pitch] = -penalty * i;
    std::vector<int> result = score;

    const double start = omp_get_wtime();
    align(result.data(), first.data(), second.data(), padded_rows, padded_cols, penalty);
    const double ms = 1e3 * (omp_get_wtime() - start);

    // The same matrix, row by row.
    for (int i = 1; i <= padded_rows; ++i) {
        int *row = &score[static_cast<size_t>(i) * pitch];
        const int *above = row - pitch;
        for (int j = 1; j < pitch; ++j)
            row[j] = max3(
                above[j - 1] + substitution_scores[first[i - 1] * LETTERS + second[j - 1]],
                row[j - 1] - penalty, above[j] - penalty);
    }
    const bool ok = result == score;
    unsigned hash = 0u;
    for (int value : result)
        hash = hash * 31u + static_cast<unsigned>(value);

    printf("time_ms %.3f\n", ms);
    printf("score %d\n", result[static_cast<size_t>(rows) * pitch + cols]);
    printf("hash %08x\n", hash);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
