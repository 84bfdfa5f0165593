// Blocks of a grid of rows are numbered across them: the last row is shorter. Two loops that CPU
// threads share are one, so that the inner one has to take every turn.
#include <cstdio>

#define SIDE 4

__global__ void all_of_tiles(const bool *done, bool *active, const unsigned *tiles, unsigned count)
{
    unsigned place = blockIdx.y * gridDim.x + blockIdx.x;
    if (place < count) {
        __shared__ bool all[SIDE * SIDE * 2];
        unsigned tile = tiles[place], half = SIDE * SIDE;
        unsigned t = threadIdx.y * SIDE + threadIdx.x;
        all[t] = done[tile * half * 2 + t];
        all[t + half] = done[tile * half * 2 + t + half];
        __syncthreads();
        for (unsigned i = half; i > 0; i /= 2) {
            if (t < i) {
                bool one = all[t], other = all[t + i];
                all[t] = one && other;
            }
            __syncthreads();
        }
        if (t == 0)
            active[tile] = !all[0];
    }
}

int main()
{
    const unsigned tiles = 11, size = SIDE * SIDE * 2;
    bool *done, *active;
    unsigned *order;
    cudaMallocManaged(&done, tiles * size);
    cudaMallocManaged(&active, tiles);
    cudaMallocManaged(&order, tiles * sizeof(unsigned));
    for (unsigned i = 0; i < tiles * size; ++i)
        done[i] = i % 67 != 5 && i % 83 != 40;
    for (unsigned i = 0; i < tiles; ++i) {
        order[i] = i * 4 % tiles;
        active[i] = false;
    }
    all_of_tiles<<<dim3(4, 3), dim3(SIDE, SIDE)>>>(done, active, order, tiles - 1);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < tiles; ++i)
        std::printf("%d ", active[i]);
    std::printf("\n");
}
