// CUB's reductions of blocks and warps. The first thread gets the result, others what they had.
#pragma once

#include "execution.hpp"
#include "warp.hpp"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockReduce {
  public:
    struct TempStorage {
        T values[X * Y * Z];
    };

    explicit BlockReduce(TempStorage &storage) : values_(storage.values) {}
    T Sum(T value) { return Reduce(value, [](T a, T b) { return T(a + b); }); }
    template <typename Operation> T Reduce(T value, Operation op) {
        const unsigned thread = g2o_emulator::current_thread->linear;
        values_[thread] = value;
        __syncthreads();
        if (thread == 0) {
            for (unsigned i = 1; i < g2o_emulator::volume(blockDim); ++i)
                value = op(value, values_[i]);
        }
        __syncthreads();
        return value;
    }

  private:
    T *values_;
};

template <typename T, int Lanes = 32, int Architecture = 0> class WarpReduce {
  public:
    struct TempStorage {
        T values[Lanes];
    };

    explicit WarpReduce(TempStorage &storage) : values_(storage.values) {}
    T Sum(T value) { return Reduce(value, [](T a, T b) { return T(a + b); }); }
    template <typename Operation> T Reduce(T value, Operation op) {
        const unsigned lane = g2o_emulator::lane_id() % Lanes;
        values_[lane] = value;
        __syncwarp();
        if (lane == 0) {
            for (int i = 1; i < Lanes; ++i)
                value = op(value, values_[i]);
        }
        __syncwarp();
        return value;
    }

  private:
    T *values_;
};

} // namespace cub
