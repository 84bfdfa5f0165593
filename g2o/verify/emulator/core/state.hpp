// The state of a running grid: blocks of warps of threads.
#pragma once

#include "fiber.hpp"

#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace g2o_emulator {

struct Block;

enum class Wait : unsigned char { none, barrier, grid_barrier, warp_operation, convergence, spin };

inline const char *describe(Wait wait) {
    switch (wait) {
    case Wait::barrier:
        return "__syncthreads";
    case Wait::grid_barrier:
        return "the grid barrier";
    case Wait::warp_operation:
        return "a warp operation with an explicit mask";
    case Wait::convergence:
        return "the other lanes of its warp";
    case Wait::spin:
        return "a value that nobody changes (it spins)";
    case Wait::none:
        break;
    }
    return "nothing";
}

// What lanes of a warp do together. `combine` runs once, when the last lane has arrived.
struct WarpRequest {
    unsigned mask = 0;
    WarpKind kind = warp_sync;
    std::uint64_t value = 0;
    int source_lane = 0;
    std::uint64_t result = 0;
    const void *site = nullptr;
};

struct Warp {
    unsigned ready = 0, spinning = 0, live = 0, waiting = 0, converging = 0;
    WarpRequest *requests[32];
};

struct ThreadState : Thread {
    Fiber fiber;
    uint3 index{0, 0, 0};
    Block *block = nullptr;
    bool started = false;
    Wait wait = Wait::none;
};

// xorshift64*: small, and good enough to shuffle turns.
struct Random {
    std::uint64_t state = 0;

    unsigned below(unsigned bound) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return static_cast<unsigned>(((state * 0x2545F4914F6CDD1DULL >> 32) * bound) >> 32);
    }
};

// A `__shared__` variable of a block: memory that is filled with the poison pattern.
struct SharedSlot {
    void *memory = nullptr;
    bool live = false;
};

struct Block {
    uint3 index{0, 0, 0};
    std::vector<ThreadState> threads;
    std::vector<Warp> warps;
    std::vector<unsigned> warp_order;
    std::vector<SharedSlot> shared;
    void *dynamic_shared = nullptr;
    unsigned live = 0, at_barrier = 0;
    // Votes of the barrier that is filling, and of the one that was released last.
    unsigned count = 0, last_count = 0;
    // Where the pass stands.
    unsigned warp_position = 0, lane_position = 0, lane_factor = 1, lane_offset = 0;
};

struct Grid {
    const char *name = "";
    dim3 grid_size, block_size;
    std::size_t dynamic_shared_bytes = 0;
    KernelBody body = nullptr;
    const void *closure = nullptr;
    bool cooperative = false;

    std::vector<Block *> resident;
    std::vector<unsigned> block_order;
    std::uint64_t next_block = 0, block_count = 0;
    unsigned current = 0;
    std::uint64_t live_threads = 0, at_grid_barrier = 0;

    std::uint64_t progress = 0, progress_before = 0;
    long idle_cycles = 0;
    std::time_t idle_since = 0;
    bool runnable_seen = false;
    Fiber launcher;
    Random random;
};

struct DeviceState {
    StackPool stacks;
    std::vector<Block *> spare_blocks;
    std::uint64_t launches = 0;
    long seed = setting("G2O_SEED", 0);
    long poison = setting("G2O_POISON", 0xCB);
    long idle_seconds = setting("G2O_IDLE_SECONDS", 20);
    bool lockstep = setting("G2O_LOCKSTEP", 1) != 0;
    bool relaxed_warps = setting("G2O_RELAXED_WARPS", 0) != 0;
};

// One for the program: kernels of several host threads run one after the other.
inline DeviceState &device_state() {
    static DeviceState &state = *new DeviceState;
    return state;
}

inline thread_local Grid *current_grid = nullptr;

inline ThreadState *running_thread() { return static_cast<ThreadState *>(current_thread); }

} // namespace g2o_emulator
