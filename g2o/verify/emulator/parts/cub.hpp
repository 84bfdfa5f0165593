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

enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS,
};

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockScan {
  public:
    struct TempStorage {
        T values[X * Y * Z];
    };

    explicit BlockScan(TempStorage &storage) : values_(storage.values) {}
    void InclusiveSum(T value, T &result) { InclusiveScan(value, result, plus_); }
    void InclusiveSum(T value, T &result, T &total) {
        InclusiveScan(value, result, plus_, total);
    }
    void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), plus_); }
    void ExclusiveSum(T value, T &result, T &total) {
        ExclusiveScan(value, result, T(), plus_, total);
    }
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op) {
        T total;
        InclusiveScan(value, result, op, total);
    }
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op, T &total) {
        const unsigned thread = put(value);
        T combined = values_[0];
        for (unsigned i = 1; i <= thread; ++i)
            combined = op(combined, values_[i]);
        result = combined;
        total = total_of(op);
    }
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op) {
        T total;
        ExclusiveScan(value, result, initial, op, total);
    }
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op, T &total) {
        const unsigned thread = put(value);
        T combined = initial;
        for (unsigned i = 0; i < thread; ++i)
            combined = op(combined, values_[i]);
        result = combined;
        total = total_of(op);
    }

  private:
    static T plus_(T a, T b) { return a + b; }
    unsigned put(T value) {
        const unsigned thread = g2o_emulator::current_thread->linear;
        values_[thread] = value;
        __syncthreads();
        return thread;
    }
    template <typename Operation> T total_of(Operation op) {
        T total = values_[0];
        for (unsigned i = 1; i < g2o_emulator::volume(blockDim); ++i)
            total = op(total, values_[i]);
        __syncthreads();
        return total;
    }

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
