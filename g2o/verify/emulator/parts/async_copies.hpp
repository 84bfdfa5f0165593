// Copies that go on beside their thread: done as late as may be, when the thread waits for them.
#pragma once

#include "execution.hpp"

#include <cstring>
#include <deque>
#include <vector>

namespace g2o_emulator {

struct AsyncCopy {
    void *to;
    const void *from;
    std::size_t bytes, zeros;
    const void *sync; // the barrier or pipeline that it belongs to

    void perform() const {
        std::memcpy(to, from, bytes - zeros);
        std::memset(static_cast<char *>(to) + bytes - zeros, 0, zeros);
    }
};

struct AsyncCopies {
    std::deque<std::vector<AsyncCopy>> batches; // committed ones, the oldest first
    std::vector<AsyncCopy> open;
};

inline AsyncCopies &async_copies() {
    if (!current_thread->copies)
        current_thread->copies = new AsyncCopies; // forgotten with its thread
    return *current_thread->copies;
}

inline void copy_async(void *to, const void *from, std::size_t bytes, std::size_t zeros = 0,
                       const void *sync = nullptr) {
    async_copies().open.push_back({to, from, bytes, zeros, sync});
}

inline void commit_copies() {
    AsyncCopies &copies = async_copies();
    copies.batches.push_back(std::move(copies.open));
    copies.open.clear();
}

// Wait for all batches but the last so many.
inline void wait_for_copies(std::size_t but_last) {
    AsyncCopies &copies = async_copies();
    while (copies.batches.size() > but_last) {
        for (const AsyncCopy &copy : copies.batches.front())
            copy.perform();
        copies.batches.pop_front();
    }
}

// Finish those that are bound to a barrier or pipeline of several threads.
inline void finish_copies_of(const void *sync) {
    AsyncCopies &copies = async_copies();
    std::vector<AsyncCopy> others;
    for (const AsyncCopy &copy : copies.open) {
        if (copy.sync == sync)
            copy.perform();
        else
            others.push_back(copy);
    }
    copies.open = std::move(others);
}

// A thread's part of a copy by a group.
template <typename Group>
void copy_part(const Group &group, void *to, const void *from, std::size_t bytes,
               std::size_t element, const void *sync = nullptr) {
    for (std::size_t at = group.thread_rank() * element; at < bytes; at += group.size() * element)
        copy_async(static_cast<char *>(to) + at, static_cast<const char *>(from) + at,
                   at + element < bytes ? element : bytes - at, 0, sync);
}

} // namespace g2o_emulator
