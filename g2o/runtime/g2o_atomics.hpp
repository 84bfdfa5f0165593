// g2o_atomics.hpp: atomic operations.
#ifndef G2O_ATOMICS_HPP
#define G2O_ATOMICS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <cassert>
#include <cstring>
#include <type_traits>

#include "g2o_math.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U
#pragma push_macro("V")
#undef V

namespace g2o {

// Each returns the value that was there before. They order nothing but the location itself, as in
// CUDA; exchange and compare-and-swap also acquire and release, because locks are built from them.

namespace detail {

// Replaces a value by a function of it.
template <class T, class Update> auto atomic_update(T *address, Update update)
{
    std::remove_cv_t<T> old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    std::remove_cv_t<T> desired = update(old);
    while (!__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        desired = update(old);
    return old;
}

// Replaces a value while `improves(old)` holds.
template <class T, class Improves>
auto atomic_replace(T *address, std::remove_cv_t<T> value, Improves improves)
{
    std::remove_cv_t<T> old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    while (improves(old) && !__atomic_compare_exchange(address, &old, &value, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}

} // namespace detail

template <class T, class U> std::remove_cv_t<T> atomic_add(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value summand = Value(value);
    if constexpr (std::is_integral_v<Value>)
        return __atomic_fetch_add(address, summand, __ATOMIC_RELAXED);
#ifdef G2O_OFFLOAD
    else if constexpr (std::is_floating_point_v<Value>) { // devices have an instruction for it
        Value old;
#pragma omp atomic capture
        {
            old = *address;
            *address += summand;
        }
        return old;
    }
#endif
    else
        return detail::atomic_update(address, [=](Value old) { return Value(old + summand); });
}

// Vectors are atomic by component.
inline float2 atomic_add(float2 *address, float2 value)
{
    return {atomic_add(&address->x, value.x), atomic_add(&address->y, value.y)};
}

inline float4 atomic_add(float4 *address, float4 value)
{
    return {atomic_add(&address->x, value.x), atomic_add(&address->y, value.y),
            atomic_add(&address->z, value.z), atomic_add(&address->w, value.w)};
}

template <class T, class U> std::remove_cv_t<T> atomic_sub(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value subtrahend = Value(value);
    if constexpr (std::is_integral_v<Value>)
        return __atomic_fetch_sub(address, subtrahend, __ATOMIC_RELAXED);
    else
        return detail::atomic_update(address, [=](Value old) { return Value(old - subtrahend); });
}

template <class T, class U> std::remove_cv_t<T> atomic_min(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value candidate = Value(value);
    return detail::atomic_replace(address, candidate, [=](Value old) { return candidate < old; });
}

template <class T, class U> std::remove_cv_t<T> atomic_max(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Value candidate = Value(value);
    return detail::atomic_replace(address, candidate, [=](Value old) { return old < candidate; });
}

namespace detail {

template <class To, class From> To same_bits(const From &value)
{
    static_assert(sizeof(To) == sizeof(From));
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

} // namespace detail

// The same of bits as integers of type Bits, which have the order of numbers that are not negative.
template <class Bits, class T, class U> std::remove_cv_t<T> atomic_min_as(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Bits bits = detail::same_bits<Bits>(Value(value));
    return detail::atomic_replace(
        address, Value(value), [=](Value old) { return bits < detail::same_bits<Bits>(old); });
}

template <class Bits, class T, class U> std::remove_cv_t<T> atomic_max_as(T *address, U value)
{
    using Value = std::remove_cv_t<T>;
    const Bits bits = detail::same_bits<Bits>(Value(value));
    return detail::atomic_replace(
        address, Value(value), [=](Value old) { return detail::same_bits<Bits>(old) < bits; });
}

template <class T, class U> std::remove_cv_t<T> atomic_exch(T *address, U value)
{
    std::remove_cv_t<T> desired = std::remove_cv_t<T>(value);
    std::remove_cv_t<T> old;
    __atomic_exchange(address, &desired, &old, __ATOMIC_ACQ_REL);
    return old;
}

template <class T, class U, class V> std::remove_cv_t<T> atomic_cas(T *address, U compare, V value)
{
    std::remove_cv_t<T> old = std::remove_cv_t<T>(compare);
    std::remove_cv_t<T> desired = std::remove_cv_t<T>(value);
    __atomic_compare_exchange(address, &old, &desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}

template <class T, class U> std::remove_cv_t<T> atomic_and(T *address, U value)
{
    return __atomic_fetch_and(address, std::remove_cv_t<T>(value), __ATOMIC_RELAXED);
}

template <class T, class U> std::remove_cv_t<T> atomic_or(T *address, U value)
{
    return __atomic_fetch_or(address, std::remove_cv_t<T>(value), __ATOMIC_RELAXED);
}

template <class T, class U> std::remove_cv_t<T> atomic_xor(T *address, U value)
{
    return __atomic_fetch_xor(address, std::remove_cv_t<T>(value), __ATOMIC_RELAXED);
}

// Counts 0, 1, ..., limit, 0, ...
template <class T, class U> std::remove_cv_t<T> atomic_inc(T *address, U limit)
{
    using Value = std::remove_cv_t<T>;
    const Value last = Value(limit);
    return detail::atomic_update(
        address, [=](Value old) { return old >= last ? Value(0) : Value(old + 1); });
}

// Counts limit, ..., 1, 0, limit, ...
template <class T, class U> std::remove_cv_t<T> atomic_dec(T *address, U limit)
{
    using Value = std::remove_cv_t<T>;
    const Value first = Value(limit);
    return detail::atomic_update(
        address, [=](Value old) { return old == 0 || old > first ? first : Value(old - 1); });
}

// Everything written before is visible to other threads before anything that follows. (A fence of
// C++ is one that clang 19 cannot translate for NVIDIA's processors.)
inline void threadfence()
{
#pragma omp flush
}
inline void threadfence_block() { threadfence(); }
inline void threadfence_system() { threadfence(); }

} // namespace g2o

#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")

} // extern "C++"

#endif // G2O_ATOMICS_HPP
