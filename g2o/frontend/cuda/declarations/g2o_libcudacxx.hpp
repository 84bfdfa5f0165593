// libcu++, as far as g2o_libcudacxx.hpp of the runtime has it.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "g2o_cuda.h"

#pragma clang force_cuda_host_device begin
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
template <typename T> constexpr void swap(T &a, T &b);
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

template <typename T, thread_scope Scope = thread_scope_system> class atomic_ref {
  public:
    explicit atomic_ref(T &object);
    T load(memory_order order = memory_order_seq_cst) const;
    void store(T value, memory_order order = memory_order_seq_cst) const;
    T exchange(T value, memory_order order = memory_order_seq_cst) const;
    bool compare_exchange_strong(T &expected, T desired,
                                 memory_order order = memory_order_seq_cst) const;
    bool compare_exchange_strong(T &expected, T desired, memory_order success,
                                 memory_order failure) const;
    bool compare_exchange_weak(T &expected, T desired,
                               memory_order order = memory_order_seq_cst) const;
    bool compare_exchange_weak(T &expected, T desired, memory_order success,
                               memory_order failure) const;
    T fetch_add(T value, memory_order order = memory_order_seq_cst) const;
    T fetch_sub(T value, memory_order order = memory_order_seq_cst) const;
    T fetch_and(T value, memory_order order = memory_order_seq_cst) const;
    T fetch_or(T value, memory_order order = memory_order_seq_cst) const;
    T fetch_xor(T value, memory_order order = memory_order_seq_cst) const;
    T fetch_min(T value, memory_order order = memory_order_seq_cst) const;
    T fetch_max(T value, memory_order order = memory_order_seq_cst) const;
};
template <typename T, thread_scope Scope = thread_scope_system> class atomic {
  public:
    atomic() = default;
    constexpr atomic(T value);
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T load(memory_order order = memory_order_seq_cst) const;
    void store(T value, memory_order order = memory_order_seq_cst);
    T exchange(T value, memory_order order = memory_order_seq_cst);
    bool compare_exchange_strong(T &expected, T desired,
                                 memory_order order = memory_order_seq_cst);
    bool compare_exchange_strong(T &expected, T desired, memory_order success,
                                 memory_order failure);
    bool compare_exchange_weak(T &expected, T desired,
                               memory_order order = memory_order_seq_cst);
    bool compare_exchange_weak(T &expected, T desired, memory_order success,
                               memory_order failure);
    T fetch_add(T value, memory_order order = memory_order_seq_cst);
    T fetch_sub(T value, memory_order order = memory_order_seq_cst);
    T fetch_and(T value, memory_order order = memory_order_seq_cst);
    T fetch_or(T value, memory_order order = memory_order_seq_cst);
    T fetch_xor(T value, memory_order order = memory_order_seq_cst);
    T fetch_min(T value, memory_order order = memory_order_seq_cst);
    T fetch_max(T value, memory_order order = memory_order_seq_cst);

  private:
    T value_;
};
void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system);

// Sizes of copies that say how both places are aligned.
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    constexpr explicit aligned_size_t(size_t size) : value(size) {}
    constexpr operator size_t() const { return value; }
};

template <thread_scope Scope> class barrier {
  public:
    class arrival_token {};
    static constexpr ptrdiff_t max() { return 1 << 20; }
    arrival_token arrive(ptrdiff_t update = 1);
    void wait(arrival_token &&token) const;
    void wait_parity(bool phase) const;
    bool try_wait(arrival_token &&token) const;
    bool try_wait_parity(bool phase) const;
    void arrive_and_wait();
    void arrive_and_drop();
    friend void init(barrier *object, ptrdiff_t expected) {}
};

enum class pipeline_role { producer, consumer };
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {};
template <thread_scope Scope> class pipeline {
  public:
    void producer_acquire();
    void producer_commit();
    void consumer_wait();
    void consumer_release();
    bool quit();
};
pipeline<thread_scope_thread> make_pipeline();
template <typename Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state);
template <typename Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                              size_t producers);
template <typename Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                              pipeline_role role);
template <unsigned char Prior> void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &);
template <thread_scope Scope>
void pipeline_producer_commit(pipeline<thread_scope_thread> &pipe, barrier<Scope> &object);

template <typename Sync> void memcpy_async(void *to, const void *from, size_t bytes, Sync &sync);
template <typename Group, typename Sync>
void memcpy_async(const Group &group, void *to, const void *from, size_t bytes, Sync &sync);

namespace std {
template <typename T> using atomic = cuda::atomic<T>;
template <typename T> using atomic_ref = cuda::atomic_ref<T>;
inline void atomic_thread_fence(memory_order) {}
} // namespace std

} // namespace cuda
#pragma clang force_cuda_host_device end
