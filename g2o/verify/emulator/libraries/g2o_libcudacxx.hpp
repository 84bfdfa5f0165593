// libcu++: what its standard library has in common with C++'s, and atomic objects. Only one thread
// runs at a time, so an operation is atomic as it is; others get their turn where one may wait.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../cuda_emulator.hpp"
#include "../parts/async_copies.hpp"

namespace cuda {

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

// The parts of the C++ standard library that kernels may use as well.
namespace std {
using ::std::array;
using ::std::conditional_t;
using ::std::decay_t;
using ::std::enable_if_t;
using ::std::equal_to;
using ::std::forward;
using ::std::get;
using ::std::greater;
using ::std::is_floating_point_v;
using ::std::is_integral_v;
using ::std::is_same_v;
using ::std::is_signed_v;
using ::std::less;
using ::std::make_pair;
using ::std::make_signed_t;
using ::std::make_tuple;
using ::std::make_unsigned_t;
using ::std::max;
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
using ::std::min;
using ::std::minus;
using ::std::move;
using ::std::multiplies;
using ::std::numeric_limits;
using ::std::pair;
using ::std::plus;
using ::std::ptrdiff_t;
using ::std::remove_const_t;
using ::std::remove_cv_t;
using ::std::remove_reference_t;
using ::std::size_t;
using ::std::tie;
using ::std::tuple;
using ::std::tuple_element_t;
using ::std::tuple_size_v;
using ::std::int8_t;
using ::std::int16_t;
using ::std::int32_t;
using ::std::int64_t;
using ::std::uint8_t;
using ::std::uint16_t;
using ::std::uint32_t;
using ::std::uint64_t;
template <typename T> constexpr void swap(T &a, T &b) {
    T c(::std::move(a));
    a = ::std::move(b);
    b = ::std::move(c);
}
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

#define G2O_EMULATOR_METHODS(CONST)                                                                \
    T load(memory_order = memory_order_seq_cst) const {                                            \
        g2o_emulator::poll();                                                                      \
        return value();                                                                            \
    }                                                                                              \
    void store(T desired, memory_order = memory_order_seq_cst) CONST { exchange(desired); }        \
    T exchange(T desired, memory_order = memory_order_seq_cst) CONST {                             \
        const T old = ::std::exchange(value(), desired);                                           \
        g2o_emulator::poll(true);                                                                  \
        return old;                                                                                \
    }                                                                                              \
    bool compare_exchange_strong(T &expected, T desired, memory_order = memory_order_seq_cst,      \
                                 memory_order = memory_order_seq_cst) CONST {                      \
        const T old = value();                                                                     \
        const bool same = ::std::memcmp(&old, &expected, sizeof(T)) == 0;                          \
        if (same)                                                                                  \
            value() = desired;                                                                     \
        expected = old;                                                                            \
        g2o_emulator::poll(same);                                                                  \
        return same;                                                                               \
    }                                                                                              \
    bool compare_exchange_weak(T &expected, T desired, memory_order = memory_order_seq_cst,        \
                               memory_order = memory_order_seq_cst) CONST {                        \
        return compare_exchange_strong(expected, desired);                                         \
    }                                                                                              \
    T fetch_add(T by, memory_order = memory_order_seq_cst) CONST { return exchange(value() + by); } \
    T fetch_sub(T by, memory_order = memory_order_seq_cst) CONST { return exchange(value() - by); } \
    T fetch_and(T by, memory_order = memory_order_seq_cst) CONST { return exchange(value() & by); } \
    T fetch_or(T by, memory_order = memory_order_seq_cst) CONST { return exchange(value() | by); } \
    T fetch_xor(T by, memory_order = memory_order_seq_cst) CONST { return exchange(value() ^ by); } \
    T fetch_min(T by, memory_order = memory_order_seq_cst) CONST {                                 \
        return exchange(by < value() ? by : value());                                              \
    }                                                                                              \
    T fetch_max(T by, memory_order = memory_order_seq_cst) CONST {                                 \
        return exchange(value() < by ? by : value());                                              \
    }

template <typename T, thread_scope Scope = thread_scope_system> class atomic_ref {
  public:
    explicit atomic_ref(T &object) : object_(object) {}
    G2O_EMULATOR_METHODS(const)

  private:
    T &value() const { return object_; }
    T &object_;
};
template <typename T, thread_scope Scope = thread_scope_system> class atomic {
  public:
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    G2O_EMULATOR_METHODS()

  private:
    T &value() { return value_; }
    const T &value() const { return value_; }
    T value_;
};
inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) {}

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    constexpr explicit aligned_size_t(size_t size) : value(size) {}
    constexpr operator size_t() const { return value; }
};

template <thread_scope Scope> class barrier {
  public:
    class arrival_token {
        friend barrier;
        unsigned phase_ = 0;
    };
    static constexpr std::ptrdiff_t max() { return 1 << 20; }
    arrival_token arrive(std::ptrdiff_t update = 1) {
        g2o_emulator::finish_copies_of(this);
        arrival_token token;
        token.phase_ = phase_;
        count(update);
        return token;
    }
    void wait(arrival_token &&token) const { wait_for(token.phase_); }
    void wait_parity(bool parity) const {
        while ((phase_ & 1) == parity)
            g2o_emulator::poll();
    }
    void arrive_and_wait() { wait(arrive()); }
    void arrive_and_drop() {
        g2o_emulator::finish_copies_of(this);
        --expected_;
        count(1);
    }
    friend void init(barrier *object, std::ptrdiff_t expected) {
        object->expected_ = object->pending_ = expected;
        object->phase_ = 0;
        g2o_emulator::poll(true);
    }
    // For pipelines: until so many phases are complete.
    void wait_until(unsigned phases) const {
        while (static_cast<int>(phase_ - phases) < 0)
            g2o_emulator::poll();
    }

  private:
    void count(std::ptrdiff_t arrivals) {
        pending_ -= arrivals;
        if (pending_ <= 0) {
            pending_ = expected_;
            ++phase_;
        }
        g2o_emulator::poll(true);
    }
    void wait_for(unsigned phase) const {
        while (phase_ == phase)
            g2o_emulator::poll();
    }
    std::ptrdiff_t expected_, pending_;
    unsigned phase_;
};

template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    barrier<Scope> full[Stages], empty[Stages];
};

template <thread_scope Scope> class pipeline {
  public:
    pipeline() = default;
    template <unsigned char Stages>
    explicit pipeline(pipeline_shared_state<Scope, Stages> &state)
        : full_(state.full), empty_(state.empty), stages_(Stages) {}
    pipeline(const pipeline &) = delete;
    pipeline(pipeline &&) = default;

    void producer_acquire() {
        if (stages_ && head_ >= stages_)
            empty_[head_ % stages_].wait_until(head_ / stages_);
    }
    void producer_commit() {
        if (!stages_) {
            g2o_emulator::commit_copies();
            return;
        }
        g2o_emulator::finish_copies_of(this);
        full_[head_++ % stages_].arrive();
    }
    void consumer_wait() {
        if (stages_)
            full_[tail_ % stages_].wait_until(tail_ / stages_ + 1);
        else if (const auto batches = g2o_emulator::async_copies().batches.size())
            g2o_emulator::wait_for_copies(batches - 1);
    }
    void consumer_release() {
        if (stages_)
            empty_[tail_++ % stages_].arrive();
    }

  private:
    barrier<Scope> *full_ = nullptr, *empty_ = nullptr; // without them: of one thread
    unsigned stages_ = 0, head_ = 0, tail_ = 0;
};
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <typename Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state) {
    if (group.thread_rank() == 0)
        for (unsigned stage = 0; stage < Stages; ++stage) {
            init(&state->full[stage], group.size());
            init(&state->empty[stage], group.size());
        }
    group.sync();
    return pipeline<Scope>(*state);
}
template <unsigned char Prior> void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
    g2o_emulator::wait_for_copies(Prior);
}

template <typename Sync>
void memcpy_async(void *to, const void *from, size_t bytes, Sync &sync) {
    g2o_emulator::copy_async(to, from, bytes, 0, &sync);
}
template <typename Group, typename Sync>
void memcpy_async(const Group &group, void *to, const void *from, size_t bytes, Sync &sync) {
    g2o_emulator::copy_part(group, to, from, bytes, 4, &sync);
}

namespace std {
template <typename T> using atomic = cuda::atomic<T>;
template <typename T> using atomic_ref = cuda::atomic_ref<T>;
inline void atomic_thread_fence(memory_order) {}
} // namespace std

} // namespace cuda
