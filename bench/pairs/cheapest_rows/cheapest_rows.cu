// Dynamic programming by rows: a block takes several rows in one launch, on columns that are more
// than those that it writes by a halo of as many columns as rows at both sides.
//
// usage: cheapest_rows [columns] [rows]

#include "cheapest_rows.hpp"

#include <cuda_runtime.h>

#define BLOCK_SIZE 256
#define HALO 20 // rows of one launch
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))
#define CLAMP(x, low, high) ((x) < (low) ? (low) : ((x) > (high) ? (high) : (x)))

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void advance(int iterations, const int *wall, const int *source, int *result, int cols,
                        int start)
{
    __shared__ int previous[BLOCK_SIZE];
    __shared__ int current[BLOCK_SIZE];
    int tx = threadIdx.x;

    int inner = BLOCK_SIZE - 2 * HALO;
    int first = inner * blockIdx.x - HALO;
    int x = first + tx;
    int lowest = first < 0 ? -first : 0;
    int highest = first + BLOCK_SIZE > cols ? cols - 1 - first : BLOCK_SIZE - 1;
    bool valid = IN_RANGE(tx, lowest, highest);
    int west = CLAMP(tx - 1, lowest, highest);
    int east = CLAMP(tx + 1, lowest, highest);

    if (IN_RANGE(x, 0, cols - 1))
        previous[tx] = source[x];
    __syncthreads();

    bool computed = false;
    for (int i = 0; i < iterations; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && valid) {
            computed = true;
            int shortest = min(previous[west], previous[tx]);
            shortest = min(shortest, previous[east]);
            current[tx] = shortest + wall[cols * (start + i) + x];
        }
        __syncthreads();
        if (i == iterations - 1)
            break;
        if (computed)
            previous[tx] = current[tx];
        __syncthreads();
    }
    if (computed && IN_RANGE(tx, HALO, BLOCK_SIZE - HALO - 1))
        result[x] = current[tx];
}

int main(int argc, char **argv)
{
    const Wall wall = make_wall(argc, argv);
    const int cols = wall.cols, rows = wall.rows;
    int *d_wall, *d_row[2];
    CHECK(cudaMalloc(&d_wall, wall.cost.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_row[0], cols * sizeof(int)));
    CHECK(cudaMalloc(&d_row[1], cols * sizeof(int)));
    CHECK(cudaMemcpy(d_wall, wall.cost.data(), wall.cost.size() * sizeof(int),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_row[0], wall.cost.data(), cols * sizeof(int), cudaMemcpyHostToDevice));

    const int inner = BLOCK_SIZE - 2 * HALO;
    const int blocks = (cols + inner - 1) / inner;
    int from = 0, to = 1;
    const Stopwatch watch;
    for (int row = 1; row < rows; row += HALO) {
        advance<<<blocks, BLOCK_SIZE>>>(std::min(HALO, rows - row), d_wall, d_row[from], d_row[to],
                                        cols, row);
        CHECK(cudaGetLastError());
        std::swap(from, to);
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<int> result(cols);
    CHECK(cudaMemcpy(result.data(), d_row[from], cols * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_wall));
    CHECK(cudaFree(d_row[0]));
    CHECK(cudaFree(d_row[1]));
    return finish(wall, result, ms);
}
