// g2o_warps.hpp: operations of warps for kernels that became loops.
#ifndef G2O_WARPS_HPP
#define G2O_WARPS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <array>
#include <type_traits>

#include "g2o_math.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("P")
#undef P
#pragma push_macro("T")
#undef T

namespace g2o {

constexpr int warp_size = 32;

namespace detail {

template <class T> class BoundValue {
    std::remove_const_t<T> value_;

public:
    void operator=(const T &value) { value_ = value; }
    T &operator*() { return value_; }
};

template <class T> class BoundPlace {
    T *place_;

public:
    void operator=(T &place) { place_ = &place; }
    T &operator*() const { return *place_; }
};

template <class T, class Place>
using PlaceOf = std::conditional_t<std::is_const_v<T>, const Place, Place>;

template <class T, class Expression>
constexpr bool is_place_of =
    std::is_lvalue_reference_v<Expression> &&
    std::is_convertible_v<std::remove_reference_t<Expression> *, const volatile T *>;

} // namespace detail

/// What `const T &r = expression;` keeps for a thread: where the object is, or the value of an
/// expression that makes one, as `decltype((expression))` says.
template <class T, class Expression>
using bound = std::conditional_t<
    detail::is_place_of<T, Expression>,
    detail::BoundPlace<detail::PlaceOf<T, std::remove_reference_t<Expression>>>,
    detail::BoundValue<T>>;
constexpr int most_warps = 32; // of a block

// A thread's place in its warp, and its warp's place in the block.
constexpr int lane_of(int thread) { return thread % warp_size; }
constexpr int warp_of(int thread) { return thread / warp_size; }

// The lane that a lane reads from. A warp falls into segments of `width` lanes (a power of two); a
// lane that would read from outside its segment reads from itself, but shfl wraps around.
constexpr int shfl_lane(int lane, int source, int width = warp_size)
{
    return (lane & ~(width - 1)) | (source & (width - 1));
}

// Of `delta` and `mask`, shuffles take the low five bits.
constexpr int shfl_up_lane(int lane, unsigned delta, int width = warp_size)
{
    delta &= warp_size - 1;
    return unsigned(lane & (width - 1)) >= delta ? lane - int(delta) : lane;
}

constexpr int shfl_down_lane(int lane, unsigned delta, int width = warp_size)
{
    delta &= warp_size - 1;
    return unsigned(lane & (width - 1)) + delta < unsigned(width) ? lane + int(delta) : lane;
}

// Reads from an earlier segment are allowed, reads from a later one are not.
constexpr int shfl_xor_lane(int lane, int mask, int width = warp_size)
{
    const int source = lane ^ (mask & (warp_size - 1));
    return source < (lane & ~(width - 1)) + width ? source : lane;
}

// How many lanes of a set of lanes come before `lane`.
constexpr int rank_in(unsigned lanes, int lane)
{
    int rank = 0;
    for (unsigned before = lanes & ((1u << lane) - 1); before != 0; before &= before - 1)
        ++rank;
    return rank;
}

// The bits of a set of lanes, without gaps.
constexpr unsigned packed(unsigned bits, unsigned lanes)
{
    unsigned found = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((lanes & bits) >> lane & 1)
            found |= 1u << rank_in(lanes, lane);
    }
    return found;
}

// The lane with that rank in a set of lanes; `lane` itself where there is none.
constexpr int member_of(unsigned lanes, int rank, int lane)
{
    for (int member = 0; member < warp_size; ++member) {
        if ((lanes >> member & 1) != 0 && rank-- == 0)
            return member;
    }
    return lane;
}

// The values of a set of lanes, one behind the other.
template <class T> std::array<T, warp_size> values_of(const T *values, unsigned lanes)
{
    std::array<T, warp_size> members{};
    int count = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1) != 0)
            members[count++] = values[lane];
    }
    return members;
}

// One bit per lane whose predicate holds.
template <class P> unsigned ballot(const P *predicates, int lanes = warp_size)
{
    unsigned bits = 0;
    for (int lane = 0; lane < lanes; ++lane)
        bits |= unsigned(predicates[lane] != 0) << lane;
    return bits;
}

template <class P> bool any(const P *predicates, int lanes = warp_size)
{
    return std::any_of(predicates, predicates + lanes, [](P p) { return p != 0; });
}

template <class P> bool all(const P *predicates, int lanes = warp_size)
{
    return std::all_of(predicates, predicates + lanes, [](P p) { return p != 0; });
}

template <class P> int count(const P *predicates, int threads)
{
    return int(std::count_if(predicates, predicates + threads, [](P p) { return p != 0; }));
}

// One bit per lane that has the value of `lane`.
template <class T> unsigned match_any(const T *values, int lane, int lanes = warp_size)
{
    unsigned bits = 0;
    for (int other = 0; other < lanes; ++other)
        bits |= unsigned(values[other] == values[lane]) << other;
    return bits;
}

// All lanes if their values are the same, else none.
template <class T> unsigned match_all(const T *values, int lanes = warp_size)
{
    for (int other = 1; other < lanes; ++other)
        if (!(values[other] == values[0]))
            return 0;
    return 0xffffffffu >> (32 - lanes);
}

namespace detail {

// A whole warp's numbers are joined in the order of shuffles by 16, 8, 4, 2 and 1 lanes.
template <class T, class Combine> T reduce(const T *values, int lanes, Combine combine)
{
    if constexpr (std::is_arithmetic_v<T>) {
        if (lanes == warp_size) {
            T joined[warp_size / 2];
            for (int lane = 0; lane < warp_size / 2; ++lane)
                joined[lane] = combine(values[lane], values[lane + warp_size / 2]);
            for (int count = warp_size / 4; count > 0; count /= 2)
                for (int lane = 0; lane < count; ++lane)
                    joined[lane] = combine(joined[lane], joined[lane + count]);
            return joined[0];
        }
    }
    T result = lanes > 0 ? values[0] : T();
    for (int lane = 1; lane < lanes; ++lane)
        result = combine(result, values[lane]);
    return result;
}

} // namespace detail

template <class T> T reduce_add(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a + b); });
}

template <class T> T reduce_min(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return b < a ? b : a; });
}

template <class T> T reduce_max(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return a < b ? b : a; });
}

template <class T, class Combine> T reduce_with(const T *values, int lanes, Combine combine)
{
    return detail::reduce(values, lanes, combine);
}

// The first of the lanes `present` that has the smallest or the largest of their values.
template <class T> int reduce_argmin(const T *values, int lanes, unsigned present)
{
    int found = -1;
    for (int lane = 0; lane < lanes; ++lane) {
        if ((present >> lane & 1) != 0 && (found < 0 || values[lane] < values[found]))
            found = lane;
    }
    return found;
}

template <class T> int reduce_argmax(const T *values, int lanes, unsigned present)
{
    int found = -1;
    for (int lane = 0; lane < lanes; ++lane) {
        if ((present >> lane & 1) != 0 && (found < 0 || values[found] < values[lane]))
            found = lane;
    }
    return found;
}

template <class T> int reduce_argmin(const T *values, int lanes)
{
    int found = 0;
    for (int lane = 1; lane < lanes; ++lane) {
        if (values[lane] < values[found])
            found = lane;
    }
    return found;
}

template <class T> int reduce_argmax(const T *values, int lanes)
{
    int found = 0;
    for (int lane = 1; lane < lanes; ++lane) {
        if (values[found] < values[lane])
            found = lane;
    }
    return found;
}

template <class T> T reduce_and(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a & b); });
}

template <class T> T reduce_or(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a | b); });
}

template <class T> T reduce_xor(const T *values, int lanes = warp_size)
{
    return detail::reduce(values, lanes, [](T a, T b) { return T(a ^ b); });
}

// What the lanes up to one, or in front of it, combine to.
template <class T> T inclusive_scan_add(const T *values, int lane)
{
    return reduce_add(values, lane + 1);
}
template <class T> T inclusive_scan_min(const T *values, int lane)
{
    return reduce_min(values, lane + 1);
}
template <class T> T inclusive_scan_max(const T *values, int lane)
{
    return reduce_max(values, lane + 1);
}
template <class T> T inclusive_scan_and(const T *values, int lane)
{
    return reduce_and(values, lane + 1);
}
template <class T> T inclusive_scan_or(const T *values, int lane)
{
    return reduce_or(values, lane + 1);
}
template <class T> T inclusive_scan_xor(const T *values, int lane)
{
    return reduce_xor(values, lane + 1);
}
template <class T, class Combine>
T inclusive_scan_with(const T *values, int lane, Combine combine)
{
    return reduce_with(values, lane + 1, combine);
}
template <class T, class Combine>
T exclusive_scan_with(const T *values, int lane, Combine combine)
{
    return lane == 0 ? T() : reduce_with(values, lane, combine);
}
template <class T> T exclusive_scan_add(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_add(values, lane);
}
template <class T> T exclusive_scan_min(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_min(values, lane);
}
template <class T> T exclusive_scan_max(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_max(values, lane);
}
template <class T> T exclusive_scan_and(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_and(values, lane);
}
template <class T> T exclusive_scan_or(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_or(values, lane);
}
template <class T> T exclusive_scan_xor(const T *values, int lane)
{
    return lane == 0 ? T() : reduce_xor(values, lane);
}

// The sum of one lane and those behind it, or of these alone: what a scan's adjoint adds up.
template <class T> T inclusive_scan_back_add(const T *values, int lane, int lanes)
{
    return reduce_add(values + lane, lanes - lane);
}
template <class T> T exclusive_scan_back_add(const T *values, int lane, int lanes)
{
    return lane + 1 == lanes ? T() : reduce_add(values + lane + 1, lanes - lane - 1);
}

} // namespace g2o

#pragma pop_macro("P")
#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_WARPS_HPP
