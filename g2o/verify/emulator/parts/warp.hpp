// Warp operations with real participation: the lanes that a mask names meet, lanes that have
// exited are not waited for, and a lane that never comes is a deadlock.
//
// What "active" means (`__activemask`, the operations without a mask, coalesced_threads): a lane
// that asks waits until no other lane of its warp can go on without waiting; the lanes that then
// stand at the same call site are active together. Hardware may split them further.
#pragma once

#include "execution.hpp"

#include <cstring>

namespace g2o_emulator {

template <typename T>
std::uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8, "a warp operation exchanges at most 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <typename T>
T from_bits(std::uint64_t bits) {
    T value;
    std::memcpy(static_cast<void *>(&value), &bits, sizeof(T));
    return value;
}

inline int lane_id() { return static_cast<int>(current_thread->lane()); }

// The four addressing modes, as the PTX manual defines them for `shfl`.
inline int shuffle_source(int lane, int width) {
    int self = lane_id();
    return (self & ~(width - 1)) | (lane & (width - 1));
}
inline int shuffle_up_source(unsigned delta, int width) {
    int self = lane_id(), source = self - static_cast<int>(delta & 31);
    return source < (self & ~(width - 1)) ? self : source;
}
inline int shuffle_down_source(unsigned delta, int width) {
    int self = lane_id(), source = self + static_cast<int>(delta & 31);
    return source > (self | (width - 1)) ? self : source;
}
inline int shuffle_xor_source(int lane_mask, int width) {
    int self = lane_id(), source = self ^ (lane_mask & 31);
    return source > (self | (width - 1)) ? self : source;
}

// Values wider than a word go in several exchanges.
template <typename T>
T shuffle(unsigned mask, T value, int source) {
    if constexpr (sizeof(T) <= 8) {
        return from_bits<T>(warp_operation(mask, warp_shuffle, to_bits(value), source));
    } else {
        std::uint64_t words[(sizeof(T) + 7) / 8] = {};
        std::memcpy(words, &value, sizeof(T));
        for (std::uint64_t &word : words)
            word = warp_operation(mask, warp_shuffle, word, source);
        std::memcpy(static_cast<void *>(&value), words, sizeof(T));
        return value;
    }
}

} // namespace g2o_emulator

#define G2O_EMULATOR_INLINE __attribute__((always_inline)) inline

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize) {
    return g2o_emulator::shuffle(mask, value, g2o_emulator::shuffle_source(lane, width));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    return g2o_emulator::shuffle(mask, value, g2o_emulator::shuffle_up_source(delta, width));
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    return g2o_emulator::shuffle(mask, value, g2o_emulator::shuffle_down_source(delta, width));
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize) {
    return g2o_emulator::shuffle(mask, value, g2o_emulator::shuffle_xor_source(lane_mask, width));
}
template <typename T>
G2O_EMULATOR_INLINE T __shfl(T value, int lane, int width = warpSize) {
    return __shfl_sync(g2o_emulator::active_lanes(), value, lane, width);
}
template <typename T>
G2O_EMULATOR_INLINE T __shfl_up(T value, unsigned delta, int width = warpSize) {
    return __shfl_up_sync(g2o_emulator::active_lanes(), value, delta, width);
}
template <typename T>
G2O_EMULATOR_INLINE T __shfl_down(T value, unsigned delta, int width = warpSize) {
    return __shfl_down_sync(g2o_emulator::active_lanes(), value, delta, width);
}
template <typename T>
G2O_EMULATOR_INLINE T __shfl_xor(T value, int lane_mask, int width = warpSize) {
    return __shfl_xor_sync(g2o_emulator::active_lanes(), value, lane_mask, width);
}

inline void __syncwarp(unsigned mask = 0xffffffffu) {
    g2o_emulator::warp_operation(mask, g2o_emulator::warp_sync, 0);
}
G2O_EMULATOR_INLINE unsigned __activemask() { return g2o_emulator::active_lanes(); }

inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return static_cast<unsigned>(
        g2o_emulator::warp_operation(mask, g2o_emulator::warp_ballot, predicate != 0));
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
inline int __uni_sync(unsigned mask, int predicate) {
    return g2o_emulator::warp_operation(mask, g2o_emulator::warp_match_all, predicate != 0) != 0;
}
G2O_EMULATOR_INLINE unsigned __ballot(int predicate) {
    return __ballot_sync(g2o_emulator::active_lanes(), predicate);
}
G2O_EMULATOR_INLINE int __any(int predicate) {
    return __any_sync(g2o_emulator::active_lanes(), predicate);
}
G2O_EMULATOR_INLINE int __all(int predicate) {
    return __all_sync(g2o_emulator::active_lanes(), predicate);
}

template <typename T>
unsigned __match_any_sync(unsigned mask, T value) {
    return static_cast<unsigned>(g2o_emulator::warp_operation(mask, g2o_emulator::warp_match_any,
                                                              g2o_emulator::to_bits(value)));
}
template <typename T>
unsigned __match_all_sync(unsigned mask, T value, int *all) {
    auto lanes = static_cast<unsigned>(g2o_emulator::warp_operation(
        mask, g2o_emulator::warp_match_all, g2o_emulator::to_bits(value)));
    *all = lanes != 0;
    return lanes;
}

#define G2O_EMULATOR_REDUCE(name, T, kind)                                                         \
    inline T __reduce_##name##_sync(unsigned mask, T value) {                                      \
        return static_cast<T>(g2o_emulator::warp_operation(mask, g2o_emulator::warp_reduce_##kind, \
                                                           static_cast<unsigned>(value)));         \
    }
G2O_EMULATOR_REDUCE(add, int, add)
G2O_EMULATOR_REDUCE(add, unsigned, add)
G2O_EMULATOR_REDUCE(min, int, min_signed)
G2O_EMULATOR_REDUCE(max, int, max_signed)
G2O_EMULATOR_REDUCE(min, unsigned, min_unsigned)
G2O_EMULATOR_REDUCE(max, unsigned, max_unsigned)
G2O_EMULATOR_REDUCE(and, unsigned, and)
G2O_EMULATOR_REDUCE(or, unsigned, or)
G2O_EMULATOR_REDUCE(xor, unsigned, xor)
#undef G2O_EMULATOR_REDUCE

inline void __syncthreads() { g2o_emulator::barrier(); }
inline int __syncthreads_count(int predicate) {
    return static_cast<int>(g2o_emulator::barrier(predicate != 0));
}
inline int __syncthreads_or(int predicate) { return g2o_emulator::barrier(predicate != 0) != 0; }
inline int __syncthreads_and(int predicate) { return g2o_emulator::barrier(predicate == 0) == 0; }

// Fences order nothing here (one thread runs at a time), but code that fences often polls.
inline void __threadfence() { g2o_emulator::poll(); }
inline void __threadfence_block() { g2o_emulator::poll(); }
inline void __threadfence_system() { g2o_emulator::poll(); }
inline void __nanosleep(unsigned) { g2o_emulator::poll(); }
