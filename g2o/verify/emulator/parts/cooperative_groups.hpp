// Cooperative groups: blocks, grids, tiles of a warp and coalesced threads.
#pragma once

#include "async_copies.hpp"
#include "execution.hpp"
#include "warp.hpp"

#include <type_traits>

namespace cooperative_groups {

class grid_group {
  public:
    static void sync() { g2o_emulator::grid_barrier(); }
    static bool is_valid() { return g2o_emulator::is_cooperative(); }
    static unsigned long long size() { return num_blocks() * num_block_threads(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long num_blocks() { return 1ULL * gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long block_rank() {
        return blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
    }
    static unsigned long long thread_rank() {
        return block_rank() * num_block_threads() + g2o_emulator::current_thread->linear;
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }

  private:
    static unsigned long long num_block_threads() { return g2o_emulator::volume(blockDim); }
};

class thread_block {
  public:
    static void sync() { __syncthreads(); }
    static unsigned size() { return g2o_emulator::volume(blockDim); }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return g2o_emulator::current_thread->linear; }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

inline grid_group this_grid() { return {}; }
inline thread_block this_thread_block() { return {}; }

class single_thread {
  public:
    static void sync() {}
    static unsigned size() { return 1; }
    static unsigned num_threads() { return 1; }
    static unsigned thread_rank() { return 0; }
};
inline single_thread this_thread() { return {}; }

// Lanes of one warp. `mask_` names them; ranks count its bits.
class lanes_group {
  public:
    explicit lanes_group(unsigned mask) : mask_(mask) {}

    unsigned lanes() const { return mask_; }
    void sync() const { __syncwarp(mask_); }
    unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const {
        unsigned below = (1u << g2o_emulator::lane_id()) - 1;
        return static_cast<unsigned>(__builtin_popcount(mask_ & below));
    }

    template <typename T>
    T shfl(T value, unsigned rank) const {
        return g2o_emulator::shuffle(mask_, value, lane(rank % size()));
    }
    template <typename T>
    T shfl_up(T value, unsigned delta) const {
        unsigned self = thread_rank();
        return g2o_emulator::shuffle(mask_, value, lane(self < delta ? self : self - delta));
    }
    template <typename T>
    T shfl_down(T value, unsigned delta) const {
        unsigned self = thread_rank();
        return g2o_emulator::shuffle(mask_, value,
                                     lane(self + delta < size() ? self + delta : self));
    }
    template <typename T>
    T shfl_xor(T value, unsigned bits) const {
        unsigned self = thread_rank(), other = self ^ bits;
        return g2o_emulator::shuffle(mask_, value, lane(other < size() ? other : self));
    }

    int any(int predicate) const { return __any_sync(mask_, predicate); }
    int all(int predicate) const { return __all_sync(mask_, predicate); }
    unsigned ballot(int predicate) const { return pack(__ballot_sync(mask_, predicate)); }
    template <typename T>
    unsigned match_any(T value) const {
        return pack(__match_any_sync(mask_, value));
    }
    template <typename T>
    unsigned match_all(T value, int &all) const {
        return pack(__match_all_sync(mask_, value, &all));
    }

  protected:
    // The lane with the given rank.
    int lane(unsigned rank) const {
        unsigned rest = mask_;
        for (; rank > 0; --rank)
            rest &= rest - 1;
        return __builtin_ctz(rest);
    }
    // Bits by lane to bits by rank.
    unsigned pack(unsigned lanes) const {
        unsigned result = 0, rank = 0;
        for (unsigned rest = mask_; rest; rest &= rest - 1)
            result |= (lanes >> __builtin_ctz(rest) & 1) << rank++;
        return result;
    }
    unsigned mask_;
};

class coalesced_group : public lanes_group {
  public:
    using lanes_group::lanes_group;
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
};

G2O_EMULATOR_INLINE coalesced_group coalesced_threads() {
    return coalesced_group(g2o_emulator::active_lanes());
}

inline unsigned tile_mask(unsigned tile_size) {
    unsigned lane = static_cast<unsigned>(g2o_emulator::lane_id());
    unsigned all =
        tile_size >= 32 ? ~0u : ((1u << tile_size) - 1) << (lane / tile_size * tile_size);
    unsigned block = static_cast<unsigned>(g2o_emulator::volume(blockDim));
    unsigned warp_begin = g2o_emulator::current_thread->linear / 32 * 32;
    unsigned lanes = block - warp_begin;
    return lanes >= 32 ? all : all & ((1u << lanes) - 1);
}

template <unsigned Size, typename Parent = void>
class thread_block_tile : public lanes_group {
  public:
    static_assert(Size <= 32, "tiles of more than a warp are not supported");
    thread_block_tile() : lanes_group(tile_mask(Size)) {}
    template <typename Other>
    thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile() {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return static_cast<unsigned>(g2o_emulator::lane_id()) % Size; }
    static unsigned meta_group_rank() { return g2o_emulator::current_thread->linear / Size; }
    static unsigned meta_group_size() { return (g2o_emulator::volume(blockDim) + Size - 1) / Size; }
};

// Any of them: the lanes of a warp, or a whole block.
class thread_group {
  public:
    thread_group(const lanes_group &lanes) : lanes_(lanes) {}
    thread_group(const thread_block &) : lanes_(0), is_block_(true) {}

    void sync() const { is_block_ ? thread_block::sync() : lanes_.sync(); }
    unsigned size() const { return is_block_ ? thread_block::size() : lanes_.size(); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const {
        return is_block_ ? thread_block::thread_rank() : lanes_.thread_rank();
    }

  private:
    lanes_group lanes_;
    bool is_block_ = false;
};

template <unsigned Size, typename Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}
inline thread_group tiled_partition(const thread_block &, unsigned size) {
    return thread_group(lanes_group(tile_mask(size)));
}

template <typename Parent, typename Label>
coalesced_group labeled_partition(const Parent &parent, Label label) {
    return coalesced_group(__match_any_sync(parent.lanes(), label));
}
template <typename Parent>
coalesced_group binary_partition(const Parent &parent, bool predicate) {
    return labeled_partition(parent, predicate);
}

template <typename T = void>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <typename T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

// By halves for tiles, in order of rank for groups whose size is no power of two.
template <typename Group, typename T, typename Op>
T reduce(const Group &group, T value, Op op) {
    unsigned size = group.size();
    if ((size & (size - 1)) == 0) {
        for (unsigned delta = size / 2; delta > 0; delta /= 2)
            value = op(value, group.shfl_xor(value, delta));
        return value;
    }
    T total = group.shfl(value, 0);
    for (unsigned rank = 1; rank < size; ++rank)
        total = op(total, group.shfl(value, rank));
    return total;
}

template <typename Group, typename T, typename Op = plus<T>>
T inclusive_scan(const Group &group, T value, Op op = {}) {
    unsigned size = group.size(), self = group.thread_rank();
    for (unsigned delta = 1; delta < size; delta *= 2) {
        T other = group.shfl_up(value, delta);
        if (self >= delta)
            value = op(other, value);
    }
    return value;
}

template <typename Group, typename T, typename Op = plus<T>>
T exclusive_scan(const Group &group, T value, Op op = {}) {
    T total = inclusive_scan(group, value, op);
    T before = group.shfl_up(total, 1);
    return group.thread_rank() == 0 ? T{} : before;
}

template <typename Group, typename F>
void invoke_one(const Group &group, F f) {
    if (group.thread_rank() == 0)
        f();
}

template <typename Group>
void sync(const Group &group) {
    group.sync();
}

template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, const T *from, std::size_t bytes) {
    g2o_emulator::copy_part(group, to, from, bytes, sizeof(T));
    g2o_emulator::commit_copies();
}
template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, std::size_t room, const T *from, std::size_t there) {
    memcpy_async(group, to, from, (room < there ? room : there) * sizeof(T));
}
template <typename Group>
void wait(const Group &group) {
    g2o_emulator::wait_for_copies(0);
    group.sync();
}
template <unsigned Stages, typename Group>
void wait_prior(const Group &group) {
    g2o_emulator::wait_for_copies(Stages);
    group.sync();
}

} // namespace cooperative_groups
