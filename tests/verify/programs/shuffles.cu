// Shuffles, votes, matches and warp reductions, with full, partial and divergent warps.
#include <cstdio>

__device__ int warpSum(int v, unsigned mask) {
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(mask, v, d);
    return v;
}

__global__ void full(int *out) {
    int lane = threadIdx.x % 32;
    int sum = warpSum(threadIdx.x, 0xffffffff);
    if (lane == 0)
        out[threadIdx.x / 32] = sum;
    double up = __shfl_up_sync(~0u, lane + 0.5, 1);
    int swapped = __shfl_xor_sync(~0u, lane, 1);
    int fourth = __shfl_sync(~0u, lane, 3, 8);
    if (threadIdx.x == 5) {
        out[2] = (int)(2 * up);
        out[3] = swapped;
        out[4] = fourth;
    }
    unsigned odd = __ballot_sync(~0u, lane & 1);
    unsigned same = __match_any_sync(~0u, lane / 10);
    if (threadIdx.x == 35) {
        out[5] = odd == 0xaaaaaaaau;
        out[6] = same == 0x3ffu;
    }
    unsigned total = __reduce_add_sync(~0u, (unsigned)lane);
    int smallest = __reduce_min_sync(~0u, 7 - lane);
    if (threadIdx.x == 0) {
        out[7] = total;
        out[8] = smallest;
    }
}

// The last warp has 8 lanes; half of each warp leaves before the vote.
__global__ void partial(int *out) {
    int lane = threadIdx.x % 32;
    if (lane % 2)
        return;
    unsigned active = __activemask();
    int v = threadIdx.x;
    int from = __shfl_sync(active, v, 2);
    if (lane == 0) {
        out[2 * (threadIdx.x / 32)] = __popc(active);
        out[2 * (threadIdx.x / 32) + 1] = from;
    }
}

// Two halves of a warp go separate ways and synchronise on their own.
__global__ void halves(int *out) {
    int lane = threadIdx.x;
    int v = lane;
    if (lane < 16) {
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_xor_sync(0x0000ffff, v, d);
    } else {
        v = __shfl_sync(0xffff0000, v, 31);
    }
    __syncwarp();
    out[lane] = v;
}

int main() {
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    full<<<1, 64>>>(out);
    for (int i = 0; i < 9; ++i)
        printf("%d ", out[i]);
    partial<<<1, 40>>>(out);
    printf("\n%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    halves<<<1, 32>>>(out);
    printf("%d %d %d %d\n", out[0], out[15], out[16], out[31]);
}
// output: 496 1520 9 4 3 1 1 496 -24
// output: 16 2 4 34
// output: 120 120 31 31
