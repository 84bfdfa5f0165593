#include "operations.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Longest block difference_to_left and distance_to_block_max are launched with.
static const int MAX_BLOCK = 256;

// Counts across launches; only this file sees it.
__device__ unsigned long long handled = 0;

static __device__ int digit_sum(int value)
{
    int rest = value < 0 ? -value : value;
    int sum = 0;
    do {
        sum += rest % 10;
        rest /= 10;
    } while (rest > 0);
    return sum;
}

// out[i] = in[i] - in[i - 1]. Threads beyond the end leave before the barrier.
__global__ void difference_to_left(const int *in, int *out, int n)
{
    __shared__ int values[MAX_BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;

    values[t] = in[i];
    __syncthreads();

    int left;
    if (t > 0)
        left = values[t - 1];
    else
        left = i > 0 ? in[i - 1] : 0; // belongs to another block
    out[i] = values[t] - left;
}

// out[i] = largest element of the block - in[i], with warps as tiles.
__global__ void distance_to_block_max(const int *in, int *out, int n)
{
    __shared__ int largest[MAX_BLOCK / 32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);

    int i = block.group_index().x * block.size() + block.thread_rank();
    int mine = i < n ? in[i] : -2147483647;

    // Largest of the tile, in its thread 0.
    int best = mine;
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) {
        int other = tile.shfl_down(best, offset);
        best = other > best ? other : best;
    }
    if (tile.thread_rank() == 0)
        largest[block.thread_rank() / 32] = best;
    block.sync();

    // Largest of the block.
    int tiles = block.size() / 32;
    best = largest[0];
    for (int k = 1; k < tiles; ++k)
        best = largest[k] > best ? largest[k] : best;
    if (i < n)
        out[i] = best - mine;
}

__global__ void apply_operation(const int *in, int *out, int n, Operation operation)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int x = in[i];
    int result;
    switch (operation) {
    case OP_NEGATE:
        result = -x;
        break;
    case OP_HALVE_OR_TRIPLE:
        if (x % 2 == 0) {
            result = x / 2;
            break;
        }
        result = 3 * x;
        break;
    case OP_DIGIT_SUM:
        result = digit_sum(x);
        break;
    case OP_STEPS_TO_ONE:
        result = steps_to_one(x);
        break;
    default:
        result = x; // unknown operations change nothing
    }
    out[i] = result;
    atomicAdd(&handled, 1ULL);
}

unsigned long long handled_elements()
{
    unsigned long long count = 0;
    if (cudaMemcpyFromSymbol(&count, handled, sizeof(count)) != cudaSuccess)
        return 0;
    return count;
}
