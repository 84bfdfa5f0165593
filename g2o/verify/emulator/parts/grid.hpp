// The execution model: grids of blocks of warps of threads, scheduled one thread at a time.
//
// A thread runs until it waits (barrier, warp operation, grid barrier), spins or ends; then the
// next thread is chosen. One *pass* offers every ready thread of a block a turn, warp by warp; a
// barrier interval is one pass. With G2O_SEED=0 blocks, warps and lanes take their turns in
// order, any other seed draws a new order for every pass.
//
// Blocks run one after the other. Another block becomes resident only when the resident ones do
// nothing but spin (they wait for a block that has not started), or at once when the launch is
// cooperative.
#pragma once

#include "fiber.hpp"
#include "vector_types.hpp"

#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

namespace g2o_emulator {

struct Block;
struct Grid;

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
    int kind = 0;
    std::uint64_t value = 0;
    int source_lane = 0;
    std::uint64_t result = 0;
    bool predicate = false;
    const void *site = nullptr;
};

struct Warp {
    unsigned ready = 0, spinning = 0, live = 0, waiting = 0, converging = 0;
    WarpRequest *requests[32];
};

struct Thread {
    Fiber fiber;
    uint3 index{0, 0, 0};
    Block *block = nullptr;
    unsigned linear = 0;
    int spin_credit = 0;
    bool started = false;
    Wait wait = Wait::none;

    unsigned lane() const { return linear % 32; }
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
    std::vector<Thread> threads;
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

using KernelBody = void (*)(const void *closure);

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
inline thread_local Thread *current_thread = nullptr;

inline void fill_poison(void *memory, std::size_t bytes) {
    long poison = device_state().poison;
    if (poison >= 0)
        std::memset(memory, static_cast<int>(poison), bytes);
}

inline unsigned volume(dim3 d) { return d.x * d.y * d.z; }

// ---- reports -----------------------------------------------------------------------------------

inline void print_thread(const Thread &thread) {
    std::fprintf(stderr, "  block (%u,%u,%u) thread (%u,%u,%u) waits for %s\n",
                 thread.block->index.x, thread.block->index.y, thread.block->index.z,
                 thread.index.x, thread.index.y, thread.index.z, describe(thread.wait));
}

// Names the kernel and, of every kind of waiting, one thread and how many do the same.
[[noreturn]] inline void report_stuck(const Grid &grid, const char *what) {
    std::fflush(stdout);
    std::fprintf(stderr, "g2o emulator: %s in kernel '%s'\n", what, grid.name);
    for (const Block *block : grid.resident) {
        unsigned counts[6] = {};
        for (const Thread &thread : block->threads) {
            bool live = block->warps[thread.linear / 32].live >> thread.lane() & 1;
            if (live && counts[static_cast<int>(thread.wait)]++ == 0)
                print_thread(thread);
        }
        for (int i = 1; i < 6; ++i)
            if (counts[i] > 1)
                std::fprintf(stderr, "  (%u threads of the block wait for %s)\n", counts[i],
                             describe(static_cast<Wait>(i)));
        if (block->index.x + block->index.y + block->index.z > 0)
            break;
    }
    stop(exit_deadlock);
}

[[noreturn]] inline void unsupported(const char *what) {
    std::fflush(stdout);
    std::fprintf(stderr, "g2o emulator: not supported: %s\n", what);
    stop(exit_unsupported);
}

// ---- blocks ------------------------------------------------------------------------------------

inline void order_pass(Grid &grid, Block &block) {
    block.warp_position = block.lane_position = 0;
    if (grid.random.state == 0)
        return;
    for (unsigned i = static_cast<unsigned>(block.warp_order.size()); i > 1; --i)
        std::swap(block.warp_order[i - 1], block.warp_order[grid.random.below(i)]);
    block.lane_factor = grid.random.below(16) * 2 + 1;
    block.lane_offset = grid.random.below(32);
}

inline uint3 unflatten(std::uint64_t linear, dim3 size) {
    return {static_cast<unsigned>(linear % size.x), static_cast<unsigned>(linear / size.x % size.y),
            static_cast<unsigned>(linear / size.x / size.y)};
}

inline void start_block(Grid &grid, Block &block) {
    std::uint64_t linear = grid.next_block++;
    if (!grid.block_order.empty())
        linear = grid.block_order[linear];
    block.index = unflatten(linear, grid.grid_size);
    unsigned threads = volume(grid.block_size), warps = (threads + 31) / 32;
    if (block.threads.size() != threads) {
        block.threads.resize(threads);
        block.warps.resize(warps);
        block.warp_order.resize(warps);
    }
    for (unsigned i = 0; i < warps; ++i) {
        unsigned lanes = threads - i * 32;
        unsigned mask = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        block.warps[i] = Warp{};
        block.warps[i].ready = block.warps[i].live = mask;
        block.warp_order[i] = i;
    }
    uint3 at{0, 0, 0};
    for (unsigned i = 0; i < threads; ++i) {
        Thread &thread = block.threads[i];
        thread.index = at;
        thread.block = &block;
        thread.linear = i;
        thread.started = false;
        thread.wait = Wait::none;
        if (++at.x == grid.block_size.x) {
            at.x = 0;
            if (++at.y == grid.block_size.y) {
                at.y = 0;
                ++at.z;
            }
        }
    }
    block.live = threads;
    block.at_barrier = block.count = block.last_count = 0;
    for (SharedSlot &slot : block.shared)
        slot.live = false;
    if (grid.dynamic_shared_bytes) {
        std::size_t bytes = (grid.dynamic_shared_bytes + 255) / 256 * 256;
#ifdef G2O_EMULATOR_ASAN
        std::free(block.dynamic_shared);
        block.dynamic_shared = nullptr;
        bytes = grid.dynamic_shared_bytes;
#endif
        if (!block.dynamic_shared &&
            posix_memalign(&block.dynamic_shared, 256, bytes < 65536 ? 65536 : bytes) != 0)
            std::abort();
        fill_poison(block.dynamic_shared, grid.dynamic_shared_bytes);
    }
    order_pass(grid, block);
}

inline void admit_block(Grid &grid) {
    auto &spare = device_state().spare_blocks;
    Block *block;
    if (spare.empty()) {
        block = new Block;
    } else {
        block = spare.back();
        spare.pop_back();
    }
    grid.resident.push_back(block);
    start_block(grid, *block);
}

inline void retire_block(Block *block) {
    std::free(block->dynamic_shared);
    block->dynamic_shared = nullptr;
    device_state().spare_blocks.push_back(block);
}

// ---- barriers ----------------------------------------------------------------------------------

inline void make_ready(Thread &thread) {
    thread.wait = Wait::none;
    thread.block->warps[thread.linear / 32].ready |= 1u << thread.lane();
}

inline void release_barrier_if_full(Grid &grid, Block &block) {
    if (block.at_barrier == 0 || block.at_barrier < block.live)
        return;
    block.at_barrier = 0;
    block.last_count = block.count;
    block.count = 0;
    ++grid.progress;
    for (Thread &thread : block.threads)
        if (thread.wait == Wait::barrier)
            make_ready(thread);
    order_pass(grid, block);
}

inline void release_grid_barrier_if_full(Grid &grid) {
    if (grid.at_grid_barrier == 0 || grid.at_grid_barrier < grid.live_threads)
        return;
    grid.at_grid_barrier = 0;
    ++grid.progress;
    for (Block *block : grid.resident) {
        for (Thread &thread : block->threads)
            if (thread.wait == Wait::grid_barrier)
                make_ready(thread);
        order_pass(grid, *block);
    }
}

// ---- warp rendezvous ---------------------------------------------------------------------------

void combine(Warp &warp, unsigned lanes, int kind);

// Let the lanes that wait with `mask` go on, if all that the mask names are there or have exited.
inline void release_rendezvous_if_full(Grid &grid, Block &block, unsigned warp_index, unsigned mask,
                                       int kind, bool force = false) {
    Warp &warp = block.warps[warp_index];
    unsigned arrived = 0;
    for (unsigned rest = warp.waiting; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (warp.requests[lane]->mask == mask && warp.requests[lane]->kind == kind)
            arrived |= 1u << lane;
    }
    if (!arrived || (!force && (mask & warp.live & ~arrived) != 0))
        return;
    combine(warp, arrived, kind);
    warp.waiting &= ~arrived;
    ++grid.progress;
    for (unsigned rest = arrived; rest; rest &= rest - 1)
        make_ready(block.threads[warp_index * 32 + static_cast<unsigned>(__builtin_ctz(rest))]);
}

// All lanes of the warp wait: those at the first call site (lowest address, which is program order
// for loops and what follows them) are the ones that are active together.
inline bool release_converged(Grid &grid, Block &block, unsigned warp_index) {
    Warp &warp = block.warps[warp_index];
    if (!warp.converging || (warp.spinning && grid.idle_cycles < 4))
        return false;
    const void *first = nullptr;
    for (unsigned rest = warp.converging; rest; rest &= rest - 1) {
        const void *site = warp.requests[__builtin_ctz(rest)]->site;
        if (!first || site < first)
            first = site;
    }
    unsigned group = 0;
    for (unsigned rest = warp.converging; rest; rest &= rest - 1)
        if (warp.requests[__builtin_ctz(rest)]->site == first)
            group |= rest & -rest;
    warp.converging &= ~group;
    ++grid.progress;
    for (unsigned rest = group; rest; rest &= rest - 1) {
        auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        warp.requests[lane]->result = group;
        make_ready(block.threads[warp_index * 32 + lane]);
    }
    return true;
}

inline void recheck_rendezvous(Grid &grid, Block &block, unsigned warp_index) {
    Warp &warp = block.warps[warp_index];
    for (unsigned rest = warp.waiting; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (warp.waiting >> lane & 1)
            release_rendezvous_if_full(grid, block, warp_index, warp.requests[lane]->mask,
                                       warp.requests[lane]->kind);
    }
}

// Operations whose masks name lanes that never came; only with G2O_RELAXED_WARPS=1.
inline bool force_rendezvous(Grid &grid) {
    for (Block *block : grid.resident)
        for (unsigned i = 0; i < block->warps.size(); ++i)
            if (unsigned waiting = block->warps[i].waiting) {
                static bool told = false;
                if (!told)
                    std::fprintf(stderr,
                                 "g2o emulator: warning: kernel '%s': a mask names lanes that "
                                 "never take part\n",
                                 grid.name);
                told = true;
                const WarpRequest &first = *block->warps[i].requests[__builtin_ctz(waiting)];
                release_rendezvous_if_full(grid, *block, i, first.mask, first.kind, true);
                return true;
            }
    return false;
}

// ---- choosing the next thread ------------------------------------------------------------------

inline Thread *next_in_pass(Grid &grid, Block &block) {
    while (block.warp_position < block.warps.size()) {
        unsigned warp_index = block.warp_order[block.warp_position];
        Warp &warp = block.warps[warp_index];
        while (warp.ready) {
            if (block.lane_position == 32)
                block.lane_position = 0;
            unsigned lane = (block.lane_position++ * block.lane_factor + block.lane_offset) % 32;
            if (warp.ready >> lane & 1) {
                warp.ready &= ~(1u << lane);
                return &block.threads[warp_index * 32 + lane];
            }
        }
        block.lane_position = 0;
        if (!release_converged(grid, block, warp_index))
            ++block.warp_position;
    }
    return nullptr;
}

// Begin the next pass of a block; true if some thread can run in it.
inline bool begin_pass(Grid &grid, Block &block) {
    bool runnable = false;
    for (Warp &warp : block.warps) {
        warp.ready |= warp.spinning;
        warp.spinning = 0;
        runnable |= warp.ready != 0;
    }
    order_pass(grid, block);
    return runnable;
}

// Every resident block has had a pass. Decide whether the grid can go on.
inline void end_cycle(Grid &grid) {
    bool progressed = grid.progress != grid.progress_before;
    grid.progress_before = grid.progress;
    if (!grid.runnable_seen && !progressed) {
        if (device_state().relaxed_warps && force_rendezvous(grid))
            return;
        bool grid_wide = grid.next_block < grid.block_count && grid.at_grid_barrier > 0;
        report_stuck(grid, grid_wide ? "deadlock (grid barrier, but the launch is not cooperative)"
                                     : "deadlock");
    }
    grid.runnable_seen = false;
    grid.idle_cycles = progressed ? 0 : grid.idle_cycles + 1;
    if (grid.idle_cycles < 8)
        return;
    if (grid.idle_cycles == 8)
        grid.idle_since = std::time(nullptr);
    if (grid.next_block < grid.block_count && grid.resident.size() < 2048) {
        admit_block(grid);
        grid.idle_cycles = 0;
    } else if (grid.idle_cycles % 1024 == 0 &&
               std::time(nullptr) - grid.idle_since >= device_state().idle_seconds) {
        report_stuck(grid, "livelock: every live thread spins");
    }
}

// The thread to run now; nullptr when the grid has ended.
inline Thread *next_thread(Grid &grid) {
    for (;;) {
        Block &block = *grid.resident[grid.current];
        if (Thread *thread = next_in_pass(grid, block))
            return thread;
        if (block.live == 0) {
            if (grid.next_block < grid.block_count) {
                start_block(grid, block);
                continue;
            }
            retire_block(&block);
            grid.resident.erase(grid.resident.begin() + grid.current);
            if (grid.resident.empty())
                return nullptr;
        } else {
            grid.runnable_seen |= begin_pass(grid, block);
            ++grid.current;
        }
        if (grid.current >= grid.resident.size()) {
            grid.current = 0;
            end_cycle(grid);
        }
    }
}

// ---- running threads ---------------------------------------------------------------------------

inline void become(Thread *thread) {
    current_thread = thread;
    threadIdx = thread->index;
    blockIdx = thread->block->index;
}

inline void thread_entry();

// Hand the processor to `next`; nullptr: back to the launch.
inline void go_to(Fiber &from, Thread *next, bool from_ended) {
    Grid &grid = *current_grid;
    if (!next) {
        switch_fiber(from, grid.launcher, from_ended);
        return;
    }
    become(next);
    if (!next->started) {
        next->started = true;
        next->fiber.stack = device_state().stacks.take();
        prepare(next->fiber, thread_entry);
    }
    switch_fiber(from, next->fiber, from_ended);
}

inline void finish_thread(Grid &grid, Thread &thread) {
    Block &block = *thread.block;
    unsigned warp_index = thread.linear / 32;
    block.warps[warp_index].live &= ~(1u << thread.lane());
    --block.live;
    --grid.live_threads;
    ++grid.progress;
    release_barrier_if_full(grid, block);
    if (block.warps[warp_index].waiting)
        recheck_rendezvous(grid, block, warp_index);
    if (grid.at_grid_barrier)
        release_grid_barrier_if_full(grid);
}

// A fiber goes on with threads that have not started for as long as those come next.
inline void thread_entry() {
    entered();
    for (;;) {
        Grid &grid = *current_grid;
        Thread *me = current_thread;
        me->spin_credit = 32;
        grid.body(grid.closure);
        finish_thread(grid, *me);
        Stack stack = me->fiber.stack;
        Thread *next = next_thread(grid);
        if (next && !next->started) {
            next->started = true;
            next->fiber.stack = stack;
            become(next);
            continue;
        }
        device_state().stacks.give_back(stack);
        Fiber ended;
        go_to(ended, next, true);
    }
}

// Let others run until somebody makes this thread ready. The caller has said what it waits for.
__attribute__((noinline)) inline void block_thread() {
    Thread *self = current_thread;
    Thread *next = next_thread(*current_grid);
    if (next == self)
        become(self);
    else
        go_to(self->fiber, next, false);
}

__attribute__((noinline)) inline void spin_now() {
    Thread *self = current_thread;
    Warp &warp = self->block->warps[self->linear / 32];
    unsigned random = current_grid->random.state ? current_grid->random.below(32) : 0;
    self->spin_credit = 32 - static_cast<int>(random);
    self->wait = Wait::spin;
    warp.spinning |= 1u << self->lane();
    block_thread();
    self->wait = Wait::none;
}

// Called where a thread may be polling. Every so often it lets the others run.
inline void poll(bool changed_memory = false) {
    Thread *self = current_thread;
    if (!self)
        return;
    current_grid->progress += changed_memory;
    if (--self->spin_credit <= 0)
        spin_now();
}

// In the condition of a loop that may wait for a volatile variable.
inline bool polled() {
    poll();
    return true;
}

struct Config {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    bool cooperative = false;
};

// Tell an overflow of a CUDA thread's stack from other faults; those happen again, unhandled.
inline void on_fault(int signal, siginfo_t *info, void *) {
    if (current_grid && device_state().stacks.is_guard(info->si_addr)) {
        std::fprintf(stderr, "g2o emulator: stack overflow in kernel '%s'; see G2O_STACK_KB\n",
                     current_grid->name);
        stop(exit_stack_overflow);
    }
    std::signal(signal, SIG_DFL);
}

inline void watch_stacks() {
#ifndef G2O_EMULATOR_ASAN
    static bool done = false;
    if (done)
        return;
    done = true;
    stack_t alternative = {};
    alternative.ss_size = 64 * 1024;
    alternative.ss_sp = std::malloc(alternative.ss_size);
    sigaltstack(&alternative, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
#endif
}

inline void run_grid(const Config &config, const char *name, KernelBody body, const void *closure) {
    DeviceState &state = device_state();
    Grid grid;
    grid.name = name;
    grid.grid_size = config.grid;
    grid.block_size = config.block;
    grid.dynamic_shared_bytes = config.shared_bytes;
    grid.body = body;
    grid.closure = closure;
    grid.cooperative = config.cooperative;
    grid.block_count = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    grid.live_threads = grid.block_count * volume(config.block);
    ++state.launches;
    watch_stacks();
    if (state.seed) {
        grid.random.state = static_cast<std::uint64_t>(state.seed) * 0x9E3779B97F4A7C15ULL ^
                            state.launches * 0xBF58476D1CE4E5B9ULL;
        grid.random.state |= 1;
        if (grid.block_count <= (1u << 24)) {
            auto count = static_cast<unsigned>(grid.block_count);
            grid.block_order.resize(count);
            for (unsigned i = 0; i < count; ++i) {
                unsigned j = grid.random.below(i + 1);
                grid.block_order[i] = grid.block_order[j];
                grid.block_order[j] = i;
            }
        }
    }
    do
        admit_block(grid);
    while (grid.cooperative && grid.next_block < grid.block_count);
    blockDim = config.block;
    gridDim = config.grid;
    current_grid = &grid;
    go_to(grid.launcher, next_thread(grid), false);
    current_grid = nullptr;
    current_thread = nullptr;
}

// ---- block barriers and shared memory ----------------------------------------------------------

inline unsigned barrier(bool predicate = false) {
    Thread *self = current_thread;
    Block &block = *self->block;
    self->wait = Wait::barrier;
    self->spin_credit = 32;
    ++block.at_barrier;
    block.count += predicate;
    release_barrier_if_full(*current_grid, block);
    block_thread();
    return block.last_count;
}

inline void grid_barrier() {
    current_thread->wait = Wait::grid_barrier;
    ++current_grid->at_grid_barrier;
    release_grid_barrier_if_full(*current_grid);
    block_thread();
}

// A whole 16-byte pointer target for `extern __shared__ T name[]`.
struct DynamicShared {
    template <typename T>
    operator T *() const {
        return static_cast<T *>(current_thread->block->dynamic_shared);
    }
};

inline DynamicShared dynamic_shared() { return {}; }

inline unsigned new_shared_id() {
    static unsigned last = 0;
    return last++;
}

// The block's instance of the static shared variables that a scope declares, wrapped in `Scope`.
template <typename Scope>
Scope &shared_scope() {
    static const unsigned id = new_shared_id();
    auto &slots = current_thread->block->shared;
    if (id >= slots.size())
        slots.resize(id + 1);
    SharedSlot &slot = slots[id];
    if (!slot.live) {
        constexpr std::size_t alignment = alignof(Scope) < 16 ? 16 : alignof(Scope);
        if (!slot.memory && posix_memalign(&slot.memory, alignment, sizeof(Scope)) != 0)
            std::abort();
        fill_poison(slot.memory, sizeof(Scope));
        slot.live = true;
    }
    return *static_cast<Scope *>(slot.memory);
}

} // namespace g2o_emulator
