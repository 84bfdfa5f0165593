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

#include "state.hpp"

namespace g2o_emulator {

// ---- reports -----------------------------------------------------------------------------------

inline void print_thread(const ThreadState &thread) {
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
        for (const ThreadState &thread : block->threads) {
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
        ThreadState &thread = block.threads[i];
        thread.index = at;
        thread.block = &block;
        thread.linear = i;
        thread.started = false;
        thread.copies = nullptr;
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
    for (ThreadState &thread : block.threads)
        thread.dynamic_shared = block.dynamic_shared;
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

inline void make_ready(ThreadState &thread) {
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
    for (ThreadState &thread : block.threads)
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
        for (ThreadState &thread : block->threads)
            if (thread.wait == Wait::grid_barrier)
                make_ready(thread);
        order_pass(grid, *block);
    }
}

void combine(Warp &warp, unsigned lanes, WarpKind kind);

// ---- warp rendezvous ---------------------------------------------------------------------------

// Let the lanes that wait with `mask` go on, if all that the mask names are there or have exited.
inline void release_rendezvous_if_full(Grid &grid, Block &block, unsigned warp_index, unsigned mask,
                                       WarpKind kind, bool force = false) {
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

// All lanes of the warp wait: those at the first site (lowest address or number, which is program
// order for loops and what follows them) are the ones that are active together.
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

inline ThreadState *next_in_pass(Grid &grid, Block &block) {
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
inline ThreadState *next_thread(Grid &grid) {
    for (;;) {
        Block &block = *grid.resident[grid.current];
        if (ThreadState *thread = next_in_pass(grid, block))
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

inline void become(ThreadState *thread) {
    current_thread = thread;
    threadIdx = thread->index;
    blockIdx = thread->block->index;
}

inline void thread_entry();

// Hand the processor to `next`; nullptr: back to the launch.
inline void go_to(Fiber &from, ThreadState *next, bool from_ended) {
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

inline void finish_thread(Grid &grid, ThreadState &thread) {
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
        ThreadState *me = running_thread();
        me->spin_credit = 32;
        grid.body(grid.closure);
        finish_thread(grid, *me);
        Stack stack = me->fiber.stack;
        ThreadState *next = next_thread(grid);
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
inline void block_thread() {
    ThreadState *self = running_thread();
    ThreadState *next = next_thread(*current_grid);
    if (next == self)
        become(self);
    else
        go_to(self->fiber, next, false);
}

void spin_now() {
    ThreadState *self = running_thread();
    Warp &warp = self->block->warps[self->linear / 32];
    unsigned random = current_grid->random.state ? current_grid->random.below(32) : 0;
    self->spin_credit = 32 - static_cast<int>(random);
    current_grid->progress += self->changed_memory;
    self->changed_memory = false;
    self->wait = Wait::spin;
    warp.spinning |= 1u << self->lane();
    block_thread();
    self->wait = Wait::none;
}

} // namespace g2o_emulator
