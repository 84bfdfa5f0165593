// A stencil over several steps in one launch: a block loads a tile with a border as wide as the
// number of steps, and computes one ring less in each of them.
//
// usage: plate_pyramid [rows] [columns] [steps]

#include "plate_pyramid.hpp"

#include <cuda_runtime.h>

#define BLOCK_SIZE 16
#define STEPS_A_LAUNCH 2
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void advance(int steps, const float *power, const float *before, float *after, int rows,
                        int cols, int border)
{
    __shared__ float now[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float heat[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float next[BLOCK_SIZE][BLOCK_SIZE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;

    // The tile with its border, which may reach over the edge of the plate.
    int inner = BLOCK_SIZE - 2 * border;
    int first_row = inner * blockIdx.y - border;
    int first_col = inner * blockIdx.x - border;
    int row = first_row + ty;
    int col = first_col + tx;
    int index = row * cols + col;
    if (IN_RANGE(row, 0, rows - 1) && IN_RANGE(col, 0, cols - 1)) {
        now[ty][tx] = before[index];
        heat[ty][tx] = power[index];
    }
    __syncthreads();

    // What of the tile lies on the plate.
    int top = first_row < 0 ? -first_row : 0;
    int bottom = first_row + BLOCK_SIZE > rows ? rows - 1 - first_row : BLOCK_SIZE - 1;
    int left = first_col < 0 ? -first_col : 0;
    int right = first_col + BLOCK_SIZE > cols ? cols - 1 - first_col : BLOCK_SIZE - 1;

    int north = max(ty - 1, top);
    int south = min(ty + 1, bottom);
    int west = max(tx - 1, left);
    int east = min(tx + 1, right);

    bool computed = false;
    for (int step = 0; step < steps; step++) {
        computed = false;
        if (IN_RANGE(tx, step + 1, BLOCK_SIZE - step - 2) &&
            IN_RANGE(ty, step + 1, BLOCK_SIZE - step - 2) && IN_RANGE(tx, left, right) &&
            IN_RANGE(ty, top, bottom)) {
            computed = true;
            float centre = now[ty][tx];
            next[ty][tx] =
                centre +
                STEP * (heat[ty][tx] +
                        (now[south][tx] + now[north][tx] - 2.0f * centre) * ALONG * 0.5f +
                        (now[ty][east] + now[ty][west] - 2.0f * centre) * ACROSS * 0.5f +
                        (AIR - centre) * TO_AIR);
        }
        __syncthreads();
        if (step == steps - 1)
            break;
        if (computed)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }

    // What was computed in the last step is the inner part of the tile.
    if (computed)
        after[index] = next[ty][tx];
}

int main(int argc, char **argv)
{
    const Plate plate = make_plate(argc, argv);
    const size_t bytes = plate.power.size() * sizeof(float);
    float *d_power, *d_temperature[2];
    CHECK(cudaMalloc(&d_power, bytes));
    CHECK(cudaMalloc(&d_temperature[0], bytes));
    CHECK(cudaMalloc(&d_temperature[1], bytes));
    CHECK(cudaMemcpy(d_power, plate.power.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_temperature[0], plate.temperature.data(), bytes, cudaMemcpyHostToDevice));

    const int inner = BLOCK_SIZE - 2 * STEPS_A_LAUNCH;
    const dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 grid((plate.cols + inner - 1) / inner, (plate.rows + inner - 1) / inner);
    int from = 0, to = 1;
    const Stopwatch watch;
    for (int step = 0; step < plate.steps; step += STEPS_A_LAUNCH) {
        advance<<<grid, block>>>(std::min(STEPS_A_LAUNCH, plate.steps - step), d_power,
                                 d_temperature[from], d_temperature[to], plate.rows, plate.cols,
                                 STEPS_A_LAUNCH);
        CHECK(cudaGetLastError());
        std::swap(from, to);
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> result(plate.power.size());
    CHECK(cudaMemcpy(result.data(), d_temperature[from], bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_power));
    CHECK(cudaFree(d_temperature[0]));
    CHECK(cudaFree(d_temperature[1]));
    return finish(plate, result, ms);
}
