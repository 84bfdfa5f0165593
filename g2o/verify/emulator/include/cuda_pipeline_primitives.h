#pragma once
#include "../parts/async_copies.hpp"

inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes,
                                    std::size_t zeros = 0) {
    g2o_emulator::copy_async(to, from, bytes, zeros);
}
inline void __pipeline_commit() { g2o_emulator::commit_copies(); }
inline void __pipeline_wait_prior(std::size_t batches) { g2o_emulator::wait_for_copies(batches); }
