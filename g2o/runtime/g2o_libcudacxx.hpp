// g2o_libcudacxx.hpp: what programs translated by g2o from CUDA use of libcu++, over the C++17
// library. The names are libcu++'s own. Scopes make no difference on a CPU.
#ifndef G2O_LIBCUDACXX_HPP
#define G2O_LIBCUDACXX_HPP

extern "C++" { // also where a program includes this inside of extern "C"

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

#include "g2o_runtime.hpp"

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
template <typename T> constexpr void swap(T &a, T &b)
{
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

namespace g2o_detail {

// Atomic operations on a place that stays where it is.
template <typename T> class Place {
  public:
    explicit Place(T *place) : place_(place) {}

    T load(memory_order order) const
    {
        T value;
        __atomic_load(place_, &value, int(order));
        return value;
    }
    void store(T value, memory_order order) const { __atomic_store(place_, &value, int(order)); }
    T exchange(T value, memory_order order) const
    {
        T old;
        __atomic_exchange(place_, &value, &old, int(order));
        return old;
    }
    bool compare_exchange(T &expected, T desired) const
    {
        return __atomic_compare_exchange(place_, &expected, &desired, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_SEQ_CST);
    }
    // Replaces the value by a function of it.
    template <typename Update> T update(Update update) const
    {
        T old = load(memory_order_relaxed);
        while (!compare_exchange(old, T(update(old)))) {
        }
        return old;
    }

  private:
    T *place_;
};

// The methods of both classes, over the place that Derived has.
template <typename Derived, typename T> class Methods {
  public:
    T load(memory_order order = memory_order_seq_cst) const { return place().load(order); }
    void store(T value, memory_order order = memory_order_seq_cst) const
    {
        place().store(value, order);
    }
    T exchange(T value, memory_order order = memory_order_seq_cst) const
    {
        return place().exchange(value, order);
    }
    bool compare_exchange_strong(T &expected, T desired,
                                 memory_order /*success*/ = memory_order_seq_cst,
                                 memory_order /*failure*/ = memory_order_seq_cst) const
    {
        return place().compare_exchange(expected, desired);
    }
    bool compare_exchange_weak(T &expected, T desired,
                               memory_order /*success*/ = memory_order_seq_cst,
                               memory_order /*failure*/ = memory_order_seq_cst) const
    {
        return place().compare_exchange(expected, desired);
    }
    T fetch_add(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return old + value; });
    }
    T fetch_sub(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return old - value; });
    }
    T fetch_and(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return old & value; });
    }
    T fetch_or(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return old | value; });
    }
    T fetch_xor(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return old ^ value; });
    }
    T fetch_min(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return value < old ? value : old; });
    }
    T fetch_max(T value, memory_order = memory_order_seq_cst) const
    {
        return place().update([value](T old) { return old < value ? value : old; });
    }

  private:
    Place<T> place() const { return Place<T>(static_cast<const Derived *>(this)->address()); }
};

} // namespace g2o_detail

template <typename T, thread_scope Scope = thread_scope_system>
class atomic_ref : public g2o_detail::Methods<atomic_ref<T, Scope>, T> {
  public:
    explicit atomic_ref(T &object) : object_(&object) {}
    T *address() const { return object_; }

  private:
    T *object_;
};

template <typename T, thread_scope Scope = thread_scope_system>
class atomic : public g2o_detail::Methods<atomic<T, Scope>, T> {
  public:
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T *address() const { return &value_; }

  private:
    alignas(sizeof(T)) mutable T value_;
};

inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// What threads wait with has gone from translated kernels; the names of the types may stay.
template <thread_scope Scope> class barrier {};
template <thread_scope Scope> class pipeline {};
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {};

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    constexpr explicit aligned_size_t(size_t size) : value(size) {}
    constexpr operator size_t() const { return value; }
};

namespace std {
template <typename T> using atomic = cuda::atomic<T>;
template <typename T> using atomic_ref = cuda::atomic_ref<T>;
inline void atomic_thread_fence(memory_order) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
} // namespace std

} // namespace cuda

} // extern "C++"

#endif
