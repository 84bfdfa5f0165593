// Operations of a warp: what lanes get that meet, and which lanes are active together.
#pragma once

#include "schedule.hpp"

namespace g2o_emulator {

template <typename Visit>
void for_lanes(unsigned lanes, Visit visit) {
    for (; lanes; lanes &= lanes - 1)
        visit(__builtin_ctz(lanes));
}

inline unsigned reduce(Warp &warp, unsigned lanes, WarpKind kind) {
    auto result = static_cast<unsigned>(warp.requests[__builtin_ctz(lanes)]->value);
    for_lanes(lanes & (lanes - 1), [&](int lane) {
        auto value = static_cast<unsigned>(warp.requests[lane]->value);
        auto a = static_cast<int>(result), b = static_cast<int>(value);
        switch (kind) {
        case warp_reduce_add:
            result += value;
            break;
        case warp_reduce_min_signed:
            result = b < a ? value : result;
            break;
        case warp_reduce_max_signed:
            result = b > a ? value : result;
            break;
        case warp_reduce_min_unsigned:
            result = value < result ? value : result;
            break;
        case warp_reduce_max_unsigned:
            result = value > result ? value : result;
            break;
        case warp_reduce_and:
            result &= value;
            break;
        case warp_reduce_or:
            result |= value;
            break;
        default:
            result ^= value;
        }
    });
    return result;
}

// Compute every lane's result from every lane's request. Nobody runs meanwhile.
inline void combine(Warp &warp, unsigned lanes, WarpKind kind) {
    auto at = [&](int lane) -> WarpRequest & { return *warp.requests[lane]; };
    unsigned ballot = 0;
    switch (kind) {
    case warp_sync:
        return;
    case warp_shuffle:
        for_lanes(lanes, [&](int lane) {
            int source = at(lane).source_lane;
            bool there = lanes >> source & 1;
            at(lane).result = there ? at(source).value : 0;
        });
        return;
    case warp_ballot:
        for_lanes(lanes, [&](int lane) { ballot |= unsigned{at(lane).value != 0} << lane; });
        for_lanes(lanes, [&](int lane) { at(lane).result = ballot; });
        return;
    case warp_match_any:
        for_lanes(lanes, [&](int lane) {
            unsigned same = 0;
            for_lanes(lanes, [&](int other) {
                same |= unsigned{at(other).value == at(lane).value} << other;
            });
            at(lane).result = same;
        });
        return;
    case warp_match_all: {
        std::uint64_t first = at(__builtin_ctz(lanes)).value;
        bool same = true;
        for_lanes(lanes, [&](int lane) { same &= at(lane).value == first; });
        for_lanes(lanes, [&](int lane) { at(lane).result = same ? lanes : 0; });
        return;
    }
    default:
        unsigned total = reduce(warp, lanes, kind);
        for_lanes(lanes, [&](int lane) { at(lane).result = total; });
    }
}

// Meet the lanes of `request.mask`; afterwards `request.result` is set.
inline void rendezvous(WarpRequest &request) {
    ThreadState *self = running_thread();
    Block &block = *self->block;
    unsigned warp_index = self->linear / 32, lane = self->lane();
    Warp &warp = block.warps[warp_index];
    if ((request.mask >> lane & 1) == 0) {
        std::fprintf(stderr,
                     "g2o emulator: kernel '%s': lane %u takes part in a warp operation whose "
                     "mask 0x%08x does not name it\n",
                     current_grid->name, lane, request.mask);
        stop(exit_undefined);
    }
    warp.requests[lane] = &request;
    warp.waiting |= 1u << lane;
    self->wait = Wait::warp_operation;
    release_rendezvous_if_full(*current_grid, block, warp_index, request.mask, request.kind);
    block_thread();
}

// The lanes that are active with the calling one at `site`.
inline unsigned converge_at(const void *site) {
    ThreadState *self = running_thread();
    Warp &warp = self->block->warps[self->linear / 32];
    WarpRequest request;
    request.site = site;
    warp.requests[self->lane()] = &request;
    warp.converging |= 1u << self->lane();
    self->wait = Wait::convergence;
    block_thread();
    return static_cast<unsigned>(request.result);
}

unsigned active_lanes() { return converge_at(__builtin_return_address(0)); }

void lockstep(unsigned long order) {
    if (current_thread && device_state().lockstep)
        converge_at(reinterpret_cast<const void *>(order));
}

std::uint64_t warp_operation(unsigned mask, WarpKind kind, std::uint64_t value, int source_lane) {
    WarpRequest request;
    request.mask = mask;
    request.kind = kind;
    request.value = value;
    request.source_lane = source_lane;
    rendezvous(request);
    return request.result;
}

} // namespace g2o_emulator
