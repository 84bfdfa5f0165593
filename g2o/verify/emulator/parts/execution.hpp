// What compiled programs see of the execution model; core/ has the rest, in one object of its own.
//
// Nothing here needs a header of the operating system: their names would get in the way of the
// program's (`stack_t`, `link`, ...).
#pragma once

#include "vector_types.hpp"

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace g2o_emulator {

// Exit codes of an emulated program that could not go on. They are outside what programs use.
enum ExitCode : int {
    exit_stack_overflow = 86,
    exit_deadlock = 87,
    exit_unsupported = 88,
    exit_undefined = 89,
};

[[noreturn]] void stop(ExitCode code);
// Ends the program because of `what`, which the emulator cannot do.
[[noreturn]] void unsupported(const char *what);
// Fills memory that is handed out with the pattern that makes reading it show.
void fill_poison(void *memory, std::size_t bytes);

constexpr std::uint64_t volume(dim3 d) { return std::uint64_t{d.x} * d.y * d.z; }

// ---- the running thread ------------------------------------------------------------------------

struct AsyncCopies;

struct Thread {
    unsigned linear = 0; // in its block
    int spin_credit = 0;
    bool changed_memory = false;
    void *dynamic_shared = nullptr;
    AsyncCopies *copies = nullptr; // that it has not waited for

    unsigned lane() const { return linear % 32; }
};

inline thread_local Thread *current_thread = nullptr;

void spin_now();

// Called where a thread may be polling. Every so often it lets the others run. `changed_memory`:
// what others wait for may have come true.
inline void poll(bool changed_memory = false) {
    Thread *self = current_thread;
    if (!self)
        return;
    self->changed_memory |= changed_memory;
    if (--self->spin_credit <= 0)
        spin_now();
}

// In the condition of a loop that may wait for a volatile variable.
inline bool polled() {
    poll();
    return true;
}

// ---- barriers and shared memory ----------------------------------------------------------------

// Wait for the threads of the block; returns how many came with a true predicate.
unsigned barrier(bool predicate = false);
// Wait for the threads of the grid.
void grid_barrier();
bool is_cooperative();

// Converts to the pointer that `extern __shared__ T name[]` stands for.
struct DynamicShared {
    template <typename T>
    operator T *() const {
        return static_cast<T *>(current_thread->dynamic_shared);
    }
};
inline DynamicShared dynamic_shared() { return {}; }

unsigned new_shared_id();
void *shared_slot(unsigned id, std::size_t bytes, std::size_t alignment);

// The block's instance of the static shared variables that a scope declares, wrapped in `Scope`.
template <typename Scope>
Scope &shared_scope() {
    static const unsigned id = new_shared_id();
    return *static_cast<Scope *>(shared_slot(id, sizeof(Scope), alignof(Scope)));
}

// ---- warps -------------------------------------------------------------------------------------

enum WarpKind : int {
    warp_sync,
    warp_shuffle,
    warp_ballot,
    warp_match_any,
    warp_match_all,
    warp_reduce_add,
    warp_reduce_min_signed,
    warp_reduce_max_signed,
    warp_reduce_min_unsigned,
    warp_reduce_max_unsigned,
    warp_reduce_and,
    warp_reduce_or,
    warp_reduce_xor,
};

// Meet the lanes of `mask` that have not exited; the result for this lane.
std::uint64_t warp_operation(unsigned mask, WarpKind kind, std::uint64_t value,
                             int source_lane = 0);
// The lanes that are active together with this one at the call site of this function.
unsigned active_lanes();
// Between the load and the store of an assignment in warp-synchronous code.
void lockstep(unsigned long order);

// ---- launches ----------------------------------------------------------------------------------

struct Config {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;
    CUstream_st *stream = nullptr;
};
using KernelBody = void (*)(const void *closure);

// Run `body(closure)` for every thread. The configuration has been checked.
void run_grid(const Config &config, const char *name, KernelBody body, const void *closure);

// Holds off kernels and allocations of other host threads.
class DeviceLock {
  public:
    DeviceLock();
    ~DeviceLock();
    DeviceLock(const DeviceLock &) = delete;
    DeviceLock &operator=(const DeviceLock &) = delete;
};

} // namespace g2o_emulator
