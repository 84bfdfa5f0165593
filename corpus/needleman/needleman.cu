// Global alignment of two sequences after Needleman and Wunsch. The score matrix is computed tile
// by tile: tiles on one anti-diagonal are independent and make one launch, and inside a tile a wave
// of threads runs along the anti-diagonals with a barrier after each.
//
// usage: needleman [length of the first sequence [length of the second]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define TILE 16
#define LETTERS 4

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

// Score of two letters against each other: transitions cost less than transversions.
static const int substitution_scores[LETTERS * LETTERS] = {
    5, -4, -1, -4, //
    -4, 5, -4, -1, //
    -1, -4, 5, -4, //
    -4, -1, -4, 5, //
};

__constant__ int substitution[LETTERS * LETTERS];

__host__ __device__ inline int max3(int a, int b, int c)
{
    int larger = a > b ? a : b;
    return larger > c ? larger : c;
}

// score has `pitch` columns; row 0 and column 0 are given. Block b computes the tile in tile row
// first_row + b on tile diagonal `diagonal`.
__global__ void align_diagonal(int *score, const char *first, const char *second, int pitch,
                               int diagonal, int first_row, int penalty)
{
    __shared__ int cell[TILE + 1][TILE + 1];
    __shared__ int match[TILE][TILE];

    int tx = threadIdx.x;
    int tile_row = first_row + blockIdx.x;
    int tile_col = diagonal - tile_row;
    int corner = tile_row * TILE * pitch + tile_col * TILE; // the cell above and left of the tile

    // What the tile needs of its neighbours, and the scores of all its pairs of letters.
    if (tx == 0)
        cell[0][0] = score[corner];
    cell[0][tx + 1] = score[corner + tx + 1];
    cell[tx + 1][0] = score[corner + (tx + 1) * pitch];
    for (int ty = 0; ty < TILE; ty++)
        match[ty][tx] = substitution[first[tile_row * TILE + ty] * LETTERS +
                                     second[tile_col * TILE + tx]];
    __syncthreads();

    // The wave grows up to the main anti-diagonal ...
    for (int m = 0; m < TILE; m++) {
        if (tx <= m) {
            int x = tx + 1;
            int y = m - tx + 1;
            cell[y][x] = max3(cell[y - 1][x - 1] + match[y - 1][x - 1],
                              cell[y][x - 1] - penalty,
                              cell[y - 1][x] - penalty);
        }
        __syncthreads();
    }

    // ... and shrinks behind it.
    for (int m = TILE - 2; m >= 0; m--) {
        if (tx <= m) {
            int x = tx + TILE - m;
            int y = TILE - tx;
            cell[y][x] = max3(cell[y - 1][x - 1] + match[y - 1][x - 1],
                              cell[y][x - 1] - penalty,
                              cell[y - 1][x] - penalty);
        }
        __syncthreads();
    }

    for (int ty = 0; ty < TILE; ty++)
        score[corner + (ty + 1) * pitch + tx + 1] = cell[ty + 1][tx + 1];
}

static int round_up(int length)
{
    return (length + TILE - 1) / TILE * TILE;
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 150;
    const int cols = argc > 2 ? atoi(argv[2]) : (argc > 1 ? rows : 200);
    const int penalty = 6;

    // The second sequence is the first one with about one letter in four replaced. Both are padded
    // to whole tiles; the padding does not reach the cells that count.
    const int tile_rows = round_up(rows) / TILE;
    const int tile_cols = round_up(cols) / TILE;
    std::vector<char> first(tile_rows * TILE, 0), second(tile_cols * TILE, 0);
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

    const int pitch = tile_cols * TILE + 1;
    const size_t cells = static_cast<size_t>(tile_rows * TILE + 1) * pitch;
    std::vector<int> score(cells, 0);
    for (int j = 0; j < pitch; ++j)
        score[j] = -penalty * j;
    for (int i = 0; i <= tile_rows * TILE; ++i)
        score[static_cast<size_t>(i) * pitch] = -penalty * i;

    int *d_score;
    char *d_first, *d_second;
    CHECK(cudaMalloc(&d_score, cells * sizeof(int)));
    CHECK(cudaMalloc(&d_first, first.size()));
    CHECK(cudaMalloc(&d_second, second.size()));
    CHECK(cudaMemcpy(d_score, score.data(), cells * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_first, first.data(), first.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_second, second.data(), second.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(substitution, substitution_scores, sizeof(substitution_scores)));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int diagonal = 0; diagonal < tile_rows + tile_cols - 1; ++diagonal) {
        // The diagonal enters the matrix at its upper or its right edge.
        const int first_row = diagonal < tile_cols ? 0 : diagonal - tile_cols + 1;
        const int last_row = diagonal < tile_rows ? diagonal : tile_rows - 1;
        align_diagonal<<<last_row - first_row + 1, TILE>>>(d_score, d_first, d_second, pitch,
                                                           diagonal, first_row, penalty);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CHECK(cudaEventElapsedTime(&ms, start, stop));

    std::vector<int> result(cells);
    CHECK(cudaMemcpy(result.data(), d_score, cells * sizeof(int), cudaMemcpyDeviceToHost));

    // The same matrix, row by row.
    for (int i = 1; i <= tile_rows * TILE; ++i) {
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

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_score));
    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_second));
    return ok ? 0 : 1;
}
