// The emulator's own object: include this in one translation unit of a program.
#pragma once

#include "faults.hpp"
#include "schedule.hpp"
#include "warps.hpp"

#include <pthread.h>

namespace g2o_emulator {

void stop(ExitCode code) {
    std::fflush(stdout);
    std::fflush(stderr);
    _exit(code);
}

void unsupported(const char *what) {
    std::fflush(stdout);
    std::fprintf(stderr, "g2o emulator: not supported: %s\n", what);
    stop(exit_unsupported);
}

void fill_poison(void *memory, std::size_t bytes) {
    long poison = device_state().poison;
    if (poison >= 0)
        std::memset(memory, static_cast<int>(poison), bytes);
}

void run_grid(const Config &config, const char *name, KernelBody body, const void *closure) {
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

unsigned barrier(bool predicate) {
    ThreadState *self = running_thread();
    Block &block = *self->block;
    self->wait = Wait::barrier;
    self->spin_credit = 32;
    ++block.at_barrier;
    block.count += predicate;
    release_barrier_if_full(*current_grid, block);
    block_thread();
    return block.last_count;
}

void grid_barrier() {
    running_thread()->wait = Wait::grid_barrier;
    ++current_grid->at_grid_barrier;
    release_grid_barrier_if_full(*current_grid);
    block_thread();
}

bool is_cooperative() { return current_grid->cooperative; }

unsigned new_shared_id() {
    static unsigned last = 0;
    return last++;
}

void *shared_slot(unsigned id, std::size_t bytes, std::size_t alignment) {
    auto &slots = running_thread()->block->shared;
    if (id >= slots.size())
        slots.resize(id + 1);
    SharedSlot &slot = slots[id];
    if (!slot.live) {
        if (alignment < 16)
            alignment = 16;
        if (!slot.memory && posix_memalign(&slot.memory, alignment, bytes) != 0)
            std::abort();
        fill_poison(slot.memory, bytes);
        slot.live = true;
    }
    return slot.memory;
}

static pthread_mutex_t device_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
DeviceLock::DeviceLock() { pthread_mutex_lock(&device_mutex); }
DeviceLock::~DeviceLock() { pthread_mutex_unlock(&device_mutex); }

} // namespace g2o_emulator
