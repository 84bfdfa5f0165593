// g2o_thrust.hpp: what programs translated by g2o from CUDA use of Thrust.
//
// One header, no dependency but the C++17 library and (when enabled) OpenMP. The names are Thrust's
// own, so that a translation keeps its text. It has
//
//    1. execution policies, and where an algorithm runs
//    2. pointers to memory of the device
//    3. tuples and iterators
//    4. function objects
//    5. vectors
//    6. the algorithms
//    7. complex numbers
//    8. random numbers
//
// The "device" is the CPU that the program runs on. Algorithms over iterators of the device, or
// under its policy, use all threads, others the calling one. No result depends on the number of
// threads: elements are combined in chunks of a fixed size, and every sort is stable.
#ifndef G2O_THRUST_HPP
#define G2O_THRUST_HPP

extern "C++" { // also where a program includes this inside of extern "C"

// The release whose names these are.
#define THRUST_VERSION 200500
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 5
#define THRUST_SUBMINOR_VERSION 0

// A program's macro of this name is not meant for what follows.
#pragma push_macro("real")
#undef real

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace thrust {
inline namespace g2o_openmp {

// ================================================================================================
// 1. Execution policies, and where an algorithm runs
// ================================================================================================

namespace detail {

template <bool Parallel> struct Policy {
    static constexpr bool parallel = Parallel;

    template <typename Stream> constexpr Policy on(const Stream &) const { return {}; }
    template <typename Allocator> constexpr Policy operator()(const Allocator &) const
    {
        return {};
    }
};

template <typename T> struct IsPolicy : std::false_type {};
template <bool Parallel> struct IsPolicy<Policy<Parallel>> : std::true_type {};

template <typename T> using IfPolicy = std::enable_if_t<IsPolicy<std::decay_t<T>>::value, int>;
template <typename T> using IfNoPolicy = std::enable_if_t<!IsPolicy<std::decay_t<T>>::value, int>;

// What the algorithms below take in place of a policy.
struct Execution {
    bool parallel;
};

template <typename Policy> constexpr Execution execution_of()
{
    return {std::decay_t<Policy>::parallel};
}

enum class Memory { any, host, device };

template <typename T, typename = void> struct MemoryOf {
    static constexpr Memory value = Memory::any;
};
template <typename T>
struct MemoryOf<T, std::void_t<typename std::iterator_traits<T>::iterator_category>> {
    static constexpr Memory value = Memory::host;
};

// Of iterators that an algorithm takes together: the device's decide.
template <typename... T> constexpr Memory common_memory()
{
    if (((MemoryOf<T>::value == Memory::device) || ...))
        return Memory::device;
    return ((MemoryOf<T>::value == Memory::host) || ...) ? Memory::host : Memory::any;
}

template <typename... T> constexpr Execution execution_for()
{
    return {common_memory<std::decay_t<T>...>() != Memory::host};
}

template <typename T> using Value = typename std::iterator_traits<T>::value_type;
template <typename T> using Difference = typename std::iterator_traits<T>::difference_type;

template <typename T>
constexpr bool is_random_access =
    std::is_base_of_v<std::random_access_iterator_tag,
                      typename std::iterator_traits<T>::iterator_category> &&
    !std::is_same_v<T, std::vector<bool>::iterator>; // neighbours share a word

constexpr std::ptrdiff_t chunk_size = 8192;

// f(i) for all i below `count`.
template <typename Function> void for_each_index(Execution run, std::ptrdiff_t count, Function &&f)
{
#pragma omp parallel for if (run.parallel && count > chunk_size)
    for (std::ptrdiff_t i = 0; i < count; ++i)
        f(i);
    static_cast<void>(run);
}

// f(chunk, begin, end) for all chunks of the range below `count`.
template <typename Function> void for_each_chunk(Execution run, std::ptrdiff_t count, Function &&f)
{
    const std::ptrdiff_t chunks = (count + chunk_size - 1) / chunk_size;
#pragma omp parallel for schedule(dynamic) if (run.parallel && chunks > 1)
    for (std::ptrdiff_t chunk = 0; chunk < chunks; ++chunk)
        f(chunk, chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size));
    static_cast<void>(run);
}

// op(... op(op(init, get(0)), get(1)) ..., get(count - 1)), by chunks where it runs in parallel.
template <typename T, typename Operation, typename Get>
T combine(Execution run, std::ptrdiff_t count, T init, Operation op, Get get)
{
    if (!run.parallel || count <= chunk_size) {
        for (std::ptrdiff_t i = 0; i < count; ++i)
            init = op(init, get(i));
        return init;
    }
    const std::ptrdiff_t chunks = (count + chunk_size - 1) / chunk_size;
    const std::unique_ptr<T[]> partial(new T[chunks]);
    for_each_chunk(run, count, [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        T value = get(begin);
        for (std::ptrdiff_t i = begin + 1; i < end; ++i)
            value = op(value, get(i));
        partial[chunk] = value;
    });
    for (std::ptrdiff_t chunk = 0; chunk < chunks; ++chunk)
        init = op(init, partial[chunk]);
    return init;
}

// put(i, sum of elements 0 to i), with `init` in front of them; exclusive: 0 to i - 1. What `put`
// writes may be what `get` reads at the same place.
template <bool Exclusive, typename T, typename Operation, typename Get, typename Put>
void scan(Execution run, std::ptrdiff_t count, const T *init, Operation op, Get get, Put put)
{
    const auto scan_range = [&](const T *carry, std::ptrdiff_t begin, std::ptrdiff_t end) {
        if (begin == end)
            return;
        if constexpr (Exclusive) {
            T sum = *carry;
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                T next = op(sum, get(i));
                put(i, sum);
                sum = next;
            }
        } else {
            T sum = carry ? T(op(*carry, get(begin))) : T(get(begin));
            put(begin, sum);
            for (std::ptrdiff_t i = begin + 1; i < end; ++i) {
                sum = op(sum, get(i));
                put(i, sum);
            }
        }
    };
    if (!run.parallel || count <= chunk_size)
        return scan_range(init, 0, count);

    const std::ptrdiff_t chunks = (count + chunk_size - 1) / chunk_size;
    const std::unique_ptr<T[]> carry(new T[chunks]);
    for_each_chunk(run, count, [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        T value = get(begin);
        for (std::ptrdiff_t i = begin + 1; i < end; ++i)
            value = op(value, get(i));
        carry[chunk] = value;
    });
    if (init)
        carry[0] = op(*init, carry[0]);
    for (std::ptrdiff_t chunk = 1; chunk < chunks; ++chunk)
        carry[chunk] = op(carry[chunk - 1], carry[chunk]);
    for_each_chunk(run, count, [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        scan_range(chunk ? &carry[chunk - 1] : init, begin, end);
    });
}

// Sorts `count` values stably; `scratch` has as much room.
template <typename T, typename Compare>
void merge_sort(T *values, T *scratch, std::ptrdiff_t count, const Compare &compare)
{
    if (count <= 32) {
        for (std::ptrdiff_t i = 1; i < count; ++i) {
            T value = std::move(values[i]);
            std::ptrdiff_t at = i;
            for (; at > 0 && compare(value, values[at - 1]); --at)
                values[at] = std::move(values[at - 1]);
            values[at] = std::move(value);
        }
        return;
    }
    const std::ptrdiff_t half = count / 2;
#pragma omp task shared(compare) if (count > chunk_size)
    merge_sort(values, scratch, half, compare);
    merge_sort(values + half, scratch + half, count - half, compare);
#pragma omp taskwait
    if (!compare(values[half], values[half - 1]))
        return;
    std::move(values, values + half, scratch);
    T *left = scratch, *right = values + half, *out = values;
    while (left != scratch + half && right != values + count)
        *out++ = compare(*right, *left) ? std::move(*right++) : std::move(*left++);
    std::move(left, scratch + half, out);
}

template <typename T, typename Compare>
void sort_values(Execution run, T *values, std::ptrdiff_t count, const Compare &compare)
{
    const std::unique_ptr<T[]> scratch(new T[count]);
#pragma omp parallel if (run.parallel && count > chunk_size)
#pragma omp single
    merge_sort(values, scratch.get(), count, compare);
    static_cast<void>(run);
}

} // namespace detail

inline constexpr detail::Policy<false> host{};
inline constexpr detail::Policy<false> seq{};
inline constexpr detail::Policy<true> device{};

namespace cuda {
inline constexpr detail::Policy<true> par{};
inline constexpr detail::Policy<true> par_nosync{};
} // namespace cuda
namespace omp {
inline constexpr detail::Policy<true> par{};
} // namespace omp
namespace system {
namespace cuda = thrust::cuda;
namespace omp = thrust::omp;
} // namespace system
using std::system_error;

// ================================================================================================
// 2. Pointers to memory of the device
// ================================================================================================

template <typename T> using device_reference = T &;

template <typename T> class device_ptr {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = device_ptr;
    using reference = std::add_lvalue_reference_t<T>;

    constexpr device_ptr(T *p = nullptr) : p_(p) {}
    template <typename U, std::enable_if_t<std::is_convertible_v<U *, T *>, int> = 0>
    constexpr device_ptr(const device_ptr<U> &other) : p_(other.get())
    {
    }

    constexpr T *get() const { return p_; }
    constexpr device_ptr base() const { return *this; }
    constexpr explicit operator bool() const { return p_ != nullptr; }

    constexpr reference operator*() const { return *p_; }
    constexpr T *operator->() const { return p_; }
    constexpr reference operator[](std::ptrdiff_t i) const { return p_[i]; }

    constexpr device_ptr &operator+=(std::ptrdiff_t n) { return p_ += n, *this; }
    constexpr device_ptr &operator-=(std::ptrdiff_t n) { return p_ -= n, *this; }
    constexpr device_ptr &operator++() { return *this += 1; }
    constexpr device_ptr &operator--() { return *this -= 1; }
    constexpr device_ptr operator++(int) { return device_ptr(p_++); }
    constexpr device_ptr operator--(int) { return device_ptr(p_--); }
    friend constexpr device_ptr operator+(device_ptr p, std::ptrdiff_t n) { return p += n; }
    friend constexpr device_ptr operator+(std::ptrdiff_t n, device_ptr p) { return p += n; }
    friend constexpr device_ptr operator-(device_ptr p, std::ptrdiff_t n) { return p -= n; }

  private:
    T *p_;
};

template <typename T, typename U>
constexpr std::ptrdiff_t operator-(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return a.get() - b.get();
}
template <typename T, typename U>
constexpr bool operator==(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return a.get() == b.get();
}
template <typename T, typename U>
constexpr bool operator!=(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return a.get() != b.get();
}
template <typename T, typename U>
constexpr bool operator<(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return a.get() < b.get();
}
template <typename T, typename U>
constexpr bool operator>(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return b < a;
}
template <typename T, typename U>
constexpr bool operator<=(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return !(b < a);
}
template <typename T, typename U>
constexpr bool operator>=(const device_ptr<T> &a, const device_ptr<U> &b)
{
    return !(a < b);
}

template <typename T> struct detail::MemoryOf<device_ptr<T>> {
    static constexpr Memory value = Memory::device;
};

template <typename T> constexpr T *raw_pointer_cast(T *p) { return p; }
template <typename T> constexpr T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <typename T> constexpr T &raw_reference_cast(T &reference) { return reference; }
template <typename T> constexpr device_ptr<T> device_pointer_cast(T *p) { return {p}; }
template <typename T> constexpr device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }

template <typename T> device_ptr<T> device_malloc(std::size_t count)
{
    return {static_cast<T *>(::operator new(count * sizeof(T)))};
}
template <typename T> void device_free(device_ptr<T> p) { ::operator delete(p.get()); }

// ================================================================================================
// 3. Tuples and iterators
// ================================================================================================

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
template <typename A, typename B>
constexpr std::enable_if_t<!std::is_same_v<A, B>> swap(A &a, B &b)
{
    A c = a;
    a = b;
    b = c;
}
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

using std::advance;
using std::distance;
using std::iterator_traits;
using std::make_reverse_iterator;
using std::reverse_iterator;
template <typename Iterator> struct iterator_difference {
    using type = detail::Difference<Iterator>;
};
template <typename Iterator> struct iterator_value {
    using type = detail::Value<Iterator>;
};

template <typename Iterator> struct detail::MemoryOf<std::reverse_iterator<Iterator>> {
    static constexpr Memory value = MemoryOf<Iterator>::value;
};

namespace detail {

// A random-access iterator out of Derived's get(), move(n) and minus(other).
template <typename Derived, typename ValueType, typename Reference> class IteratorBase {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = ValueType;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Reference;

    constexpr Reference operator*() const { return self().get(); }
    constexpr Reference operator[](std::ptrdiff_t i) const { return *(self() + i); }
    constexpr Derived &operator+=(std::ptrdiff_t n) { return self().move(n), self(); }
    constexpr Derived &operator-=(std::ptrdiff_t n) { return self().move(-n), self(); }
    constexpr Derived &operator++() { return *this += 1; }
    constexpr Derived &operator--() { return *this += -1; }
    constexpr Derived operator++(int)
    {
        Derived before = self();
        ++*this;
        return before;
    }
    constexpr Derived operator--(int)
    {
        Derived before = self();
        --*this;
        return before;
    }

    friend constexpr Derived operator+(Derived a, std::ptrdiff_t n) { return a += n; }
    friend constexpr Derived operator+(std::ptrdiff_t n, Derived a) { return a += n; }
    friend constexpr Derived operator-(Derived a, std::ptrdiff_t n) { return a -= n; }
    friend constexpr std::ptrdiff_t operator-(const Derived &a, const Derived &b)
    {
        return a.minus(b);
    }
    friend constexpr bool operator==(const Derived &a, const Derived &b) { return a - b == 0; }
    friend constexpr bool operator!=(const Derived &a, const Derived &b) { return a - b != 0; }
    friend constexpr bool operator<(const Derived &a, const Derived &b) { return a - b < 0; }
    friend constexpr bool operator>(const Derived &a, const Derived &b) { return a - b > 0; }
    friend constexpr bool operator<=(const Derived &a, const Derived &b) { return a - b <= 0; }
    friend constexpr bool operator>=(const Derived &a, const Derived &b) { return a - b >= 0; }

  private:
    constexpr Derived &self() { return static_cast<Derived &>(*this); }
    constexpr const Derived &self() const { return static_cast<const Derived &>(*this); }
};

} // namespace detail

template <typename T>
class counting_iterator : public detail::IteratorBase<counting_iterator<T>, T, T> {
  public:
    constexpr explicit counting_iterator(T value = T()) : value_(value) {}
    constexpr T get() const { return value_; }
    constexpr void move(std::ptrdiff_t n) { value_ = static_cast<T>(value_ + static_cast<T>(n)); }
    constexpr std::ptrdiff_t minus(const counting_iterator &other) const
    {
        return static_cast<std::ptrdiff_t>(value_) - static_cast<std::ptrdiff_t>(other.value_);
    }

  private:
    T value_;
};
template <typename T> constexpr counting_iterator<T> make_counting_iterator(T value)
{
    return counting_iterator<T>(value);
}
template <typename T> struct detail::MemoryOf<counting_iterator<T>> {
    static constexpr Memory value = Memory::any;
};

template <typename T>
class constant_iterator : public detail::IteratorBase<constant_iterator<T>, T, T> {
  public:
    constexpr explicit constant_iterator(T value = T(), std::ptrdiff_t at = 0)
        : value_(value), at_(at)
    {
    }
    constexpr T get() const { return value_; }
    constexpr void move(std::ptrdiff_t n) { at_ += n; }
    constexpr std::ptrdiff_t minus(const constant_iterator &other) const { return at_ - other.at_; }

  private:
    T value_;
    std::ptrdiff_t at_;
};
template <typename T>
constexpr constant_iterator<T> make_constant_iterator(T value, std::ptrdiff_t at = 0)
{
    return constant_iterator<T>(value, at);
}
template <typename T> struct detail::MemoryOf<constant_iterator<T>> {
    static constexpr Memory value = Memory::any;
};

namespace detail {
struct Ignored {
    template <typename T> constexpr const Ignored &operator=(const T &) const { return *this; }
};
} // namespace detail

// What is written through it is dropped.
class discard_iterator
    : public detail::IteratorBase<discard_iterator, detail::Ignored, detail::Ignored> {
  public:
    constexpr explicit discard_iterator(std::ptrdiff_t at = 0) : at_(at) {}
    constexpr detail::Ignored get() const { return {}; }
    constexpr void move(std::ptrdiff_t n) { at_ += n; }
    constexpr std::ptrdiff_t minus(const discard_iterator &other) const { return at_ - other.at_; }

  private:
    std::ptrdiff_t at_;
};
constexpr discard_iterator make_discard_iterator() { return discard_iterator(); }
template <> struct detail::MemoryOf<discard_iterator> {
    static constexpr Memory value = Memory::any;
};

namespace detail {
template <typename Function, typename Iterator>
using Transformed =
    std::invoke_result_t<const Function &, typename std::iterator_traits<Iterator>::reference>;
} // namespace detail

template <typename Function, typename Iterator>
class transform_iterator
    : public detail::IteratorBase<transform_iterator<Function, Iterator>,
                                  std::decay_t<detail::Transformed<Function, Iterator>>,
                                  detail::Transformed<Function, Iterator>> {
  public:
    constexpr explicit transform_iterator(Iterator at, Function f = Function()) : at_(at), f_(f) {}
    // Lambda expressions have no assignment.
    constexpr transform_iterator(const transform_iterator &) = default;
    transform_iterator &operator=(const transform_iterator &other)
    {
        if (this != &other) {
            this->~transform_iterator();
            ::new (static_cast<void *>(this)) transform_iterator(other);
        }
        return *this;
    }
    constexpr Iterator base() const { return at_; }
    constexpr detail::Transformed<Function, Iterator> get() const { return f_(*at_); }
    constexpr void move(std::ptrdiff_t n) { at_ += n; }
    constexpr std::ptrdiff_t minus(const transform_iterator &other) const
    {
        return at_ - other.at_;
    }

  private:
    Iterator at_;
    Function f_;
};
template <typename Iterator, typename Function>
constexpr transform_iterator<Function, Iterator> make_transform_iterator(Iterator at, Function f)
{
    return transform_iterator<Function, Iterator>(at, f);
}
template <typename Function, typename Iterator>
struct detail::MemoryOf<transform_iterator<Function, Iterator>> {
    static constexpr Memory value = MemoryOf<Iterator>::value;
};

// elements[indices[i]]
template <typename Elements, typename Indices>
class permutation_iterator
    : public detail::IteratorBase<permutation_iterator<Elements, Indices>, detail::Value<Elements>,
                                  typename std::iterator_traits<Elements>::reference> {
  public:
    permutation_iterator() = default;
    constexpr permutation_iterator(Elements elements, Indices indices)
        : elements_(elements), indices_(indices)
    {
    }
    constexpr typename std::iterator_traits<Elements>::reference get() const
    {
        return elements_[static_cast<std::ptrdiff_t>(*indices_)];
    }
    constexpr void move(std::ptrdiff_t n) { indices_ += n; }
    constexpr std::ptrdiff_t minus(const permutation_iterator &other) const
    {
        return indices_ - other.indices_;
    }

  private:
    Elements elements_;
    Indices indices_;
};
template <typename Elements, typename Indices>
constexpr permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements,
                                                                            Indices indices)
{
    return {elements, indices};
}
template <typename Elements, typename Indices>
struct detail::MemoryOf<permutation_iterator<Elements, Indices>> {
    static constexpr Memory value = common_memory<Elements, Indices>();
};

template <typename Tuple> class zip_iterator;
template <typename... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public detail::IteratorBase<
          zip_iterator<std::tuple<Iterators...>>, std::tuple<detail::Value<Iterators>...>,
          std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
  public:
    zip_iterator() = default;
    constexpr explicit zip_iterator(std::tuple<Iterators...> iterators) : iterators_(iterators) {}
    constexpr const std::tuple<Iterators...> &get_iterator_tuple() const { return iterators_; }
    constexpr std::tuple<typename std::iterator_traits<Iterators>::reference...> get() const
    {
        return std::apply(
            [](const Iterators &...each) {
                return std::tuple<typename std::iterator_traits<Iterators>::reference...>(*each...);
            },
            iterators_);
    }
    constexpr void move(std::ptrdiff_t n)
    {
        std::apply([n](Iterators &...each) { static_cast<void>(((each += n), ...)); }, iterators_);
    }
    constexpr std::ptrdiff_t minus(const zip_iterator &other) const
    {
        return std::get<0>(iterators_) - std::get<0>(other.iterators_);
    }

  private:
    std::tuple<Iterators...> iterators_;
};
template <typename... Iterators>
constexpr zip_iterator<std::tuple<Iterators...>>
make_zip_iterator(std::tuple<Iterators...> iterators)
{
    return zip_iterator<std::tuple<Iterators...>>(iterators);
}
template <typename... Iterators>
constexpr zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... iterators)
{
    return zip_iterator<std::tuple<Iterators...>>(std::tuple<Iterators...>(iterators...));
}
template <typename... Iterators> struct detail::MemoryOf<zip_iterator<std::tuple<Iterators...>>> {
    static constexpr Memory value = common_memory<Iterators...>();
};

// f(a, b, ...) for a function of the tuple (a, b, ...).
template <typename Function> struct zip_function {
    Function f;
    template <typename Tuple> constexpr decltype(auto) operator()(Tuple &&values) const
    {
        return std::apply(f, std::forward<Tuple>(values));
    }
};
template <typename Function> constexpr zip_function<Function> make_zip_function(Function f)
{
    return {f};
}

// ================================================================================================
// 4. Function objects
// ================================================================================================

template <typename T = void> using plus = std::plus<T>;
template <typename T = void> using minus = std::minus<T>;
template <typename T = void> using multiplies = std::multiplies<T>;
template <typename T = void> using divides = std::divides<T>;
template <typename T = void> using modulus = std::modulus<T>;
template <typename T = void> using negate = std::negate<T>;
template <typename T = void> using equal_to = std::equal_to<T>;
template <typename T = void> using not_equal_to = std::not_equal_to<T>;
template <typename T = void> using greater = std::greater<T>;
template <typename T = void> using less = std::less<T>;
template <typename T = void> using greater_equal = std::greater_equal<T>;
template <typename T = void> using less_equal = std::less_equal<T>;
template <typename T = void> using logical_and = std::logical_and<T>;
template <typename T = void> using logical_or = std::logical_or<T>;
template <typename T = void> using logical_not = std::logical_not<T>;
template <typename T = void> using bit_and = std::bit_and<T>;
template <typename T = void> using bit_or = std::bit_or<T>;
template <typename T = void> using bit_xor = std::bit_xor<T>;

template <typename T> constexpr T max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> constexpr T min(const T &a, const T &b) { return b < a ? b : a; }
template <typename T, typename Less> constexpr T max(const T &a, const T &b, Less less)
{
    return less(a, b) ? b : a;
}
template <typename T, typename Less> constexpr T min(const T &a, const T &b, Less less)
{
    return less(b, a) ? b : a;
}
template <typename T = void> struct maximum {
    constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <typename A, typename B> constexpr auto operator()(const A &a, const B &b) const
    {
        return a < b ? b : a;
    }
};
template <typename T = void> struct minimum {
    constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
    template <typename A, typename B> constexpr auto operator()(const A &a, const B &b) const
    {
        return b < a ? b : a;
    }
};
template <typename T = void> struct identity {
    constexpr const T &operator()(const T &a) const { return a; }
};
template <> struct identity<void> {
    template <typename T> constexpr T operator()(const T &a) const { return a; }
};
template <typename T = void> struct square {
    constexpr T operator()(const T &a) const { return a * a; }
};
template <> struct square<void> {
    template <typename T> constexpr T operator()(const T &a) const { return a * a; }
};
using std::not_fn;

template <typename Argument, typename Result> struct unary_function {
    using argument_type = Argument;
    using result_type = Result;
};
template <typename First, typename Second, typename Result> struct binary_function {
    using first_argument_type = First;
    using second_argument_type = Second;
    using result_type = Result;
};

// `_1 * 2 + _2` as a function object: an expression of the arguments that it is called with.
namespace placeholders {

template <typename Function> struct Expression {
    Function function;
    template <typename... A> constexpr auto operator()(const A &...arguments) const
    {
        return function(std::forward_as_tuple(arguments...));
    }
};
template <std::size_t N> struct Argument {
    template <typename Arguments> constexpr auto operator()(const Arguments &arguments) const
    {
        return std::get<N>(arguments);
    }
};
template <typename T> struct Value {
    T value;
    template <typename Arguments> constexpr T operator()(const Arguments &) const { return value; }
};

template <typename T> constexpr Value<T> part(const T &value) { return {value}; }
template <typename Function> constexpr Function part(const Expression<Function> &expression)
{
    return expression.function;
}
template <typename T> struct IsExpression : std::false_type {};
template <typename Function> struct IsExpression<Expression<Function>> : std::true_type {};

template <typename Operation, typename A, typename B> struct Binary {
    A a;
    B b;
    template <typename Arguments> constexpr auto operator()(const Arguments &arguments) const
    {
        return Operation()(a(arguments), b(arguments));
    }
};
template <typename Operation, typename A> struct Unary {
    A a;
    template <typename Arguments> constexpr auto operator()(const Arguments &arguments) const
    {
        return Operation()(a(arguments));
    }
};

#define G2O_PLACEHOLDER_BINARY(symbol, Operation)                                                  \
    template <typename A, typename B,                                                              \
              std::enable_if_t<IsExpression<A>::value || IsExpression<B>::value, int> = 0>         \
    constexpr auto operator symbol(const A &a, const B &b)                                         \
    {                                                                                              \
        using Both = Binary<Operation, decltype(part(a)), decltype(part(b))>;                      \
        return Expression<Both>{{part(a), part(b)}};                                               \
    }
G2O_PLACEHOLDER_BINARY(+, std::plus<>)
G2O_PLACEHOLDER_BINARY(-, std::minus<>)
G2O_PLACEHOLDER_BINARY(*, std::multiplies<>)
G2O_PLACEHOLDER_BINARY(/, std::divides<>)
G2O_PLACEHOLDER_BINARY(%, std::modulus<>)
G2O_PLACEHOLDER_BINARY(==, std::equal_to<>)
G2O_PLACEHOLDER_BINARY(!=, std::not_equal_to<>)
G2O_PLACEHOLDER_BINARY(<, std::less<>)
G2O_PLACEHOLDER_BINARY(<=, std::less_equal<>)
G2O_PLACEHOLDER_BINARY(>, std::greater<>)
G2O_PLACEHOLDER_BINARY(>=, std::greater_equal<>)
G2O_PLACEHOLDER_BINARY(&&, std::logical_and<>)
G2O_PLACEHOLDER_BINARY(||, std::logical_or<>)
G2O_PLACEHOLDER_BINARY(&, std::bit_and<>)
G2O_PLACEHOLDER_BINARY(|, std::bit_or<>)
G2O_PLACEHOLDER_BINARY(^, std::bit_xor<>)
#undef G2O_PLACEHOLDER_BINARY

#define G2O_PLACEHOLDER_UNARY(symbol, Operation)                                                   \
    template <typename F> constexpr auto operator symbol(const Expression<F> &a)                   \
    {                                                                                              \
        return Expression<Unary<Operation, F>>{{a.function}};                                      \
    }
G2O_PLACEHOLDER_UNARY(-, std::negate<>)
G2O_PLACEHOLDER_UNARY(!, std::logical_not<>)
G2O_PLACEHOLDER_UNARY(~, std::bit_not<>)
#undef G2O_PLACEHOLDER_UNARY

inline constexpr Expression<Argument<0>> _1{};
inline constexpr Expression<Argument<1>> _2{};
inline constexpr Expression<Argument<2>> _3{};
inline constexpr Expression<Argument<3>> _4{};

} // namespace placeholders

// ================================================================================================
// 5. Vectors
// ================================================================================================

namespace detail {

// An array of the program, `Iterator` made of a T *. Elements are those that C++ makes: bool, too.
template <typename T, typename Iterator, typename ConstIterator> class Vector {
  public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T &;
    using const_reference = const T &;
    using pointer = Iterator;
    using const_pointer = ConstIterator;
    using iterator = Iterator;
    using const_iterator = ConstIterator;
    using reverse_iterator = std::reverse_iterator<Iterator>;
    using const_reverse_iterator = std::reverse_iterator<ConstIterator>;

    Vector() = default;
    explicit Vector(std::size_t count) : values_(new T[count]()), size_(count), capacity_(count) {}
    Vector(std::size_t count, const T &value) : Vector(count)
    {
        std::fill_n(values_.get(), count, value);
    }
    template <typename Source, typename = typename std::iterator_traits<Source>::iterator_category>
    Vector(Source first, Source last)
    {
        assign(first, last);
    }
    Vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
    Vector(const Vector &other) { assign(other.begin(), other.end()); }
    Vector(Vector &&other) noexcept { swap(other); }
    Vector &operator=(const Vector &other)
    {
        if (this != &other)
            assign(other.begin(), other.end());
        return *this;
    }
    Vector &operator=(Vector &&other) noexcept
    {
        swap(other);
        return *this;
    }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    Iterator data() { return Iterator(values_.get()); }
    ConstIterator data() const { return ConstIterator(values_.get()); }
    Iterator begin() { return data(); }
    Iterator end() { return data() + difference_type(size_); }
    ConstIterator begin() const { return data(); }
    ConstIterator end() const { return data() + difference_type(size_); }
    ConstIterator cbegin() const { return begin(); }
    ConstIterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    T &operator[](std::size_t i) { return values_[i]; }
    const T &operator[](std::size_t i) const { return values_[i]; }
    T &front() { return values_[0]; }
    const T &front() const { return values_[0]; }
    T &back() { return values_[size_ - 1]; }
    const T &back() const { return values_[size_ - 1]; }

    void reserve(std::size_t capacity)
    {
        if (capacity <= capacity_)
            return;
        std::unique_ptr<T[]> values(new T[capacity]());
        std::move(values_.get(), values_.get() + size_, values.get());
        values_ = std::move(values);
        capacity_ = capacity;
    }
    void resize(std::size_t count, const T &value = T())
    {
        reserve(count);
        if (count > size_)
            std::fill(values_.get() + size_, values_.get() + count, value);
        size_ = count;
    }
    void shrink_to_fit() {}
    void clear() { size_ = 0; }
    void push_back(const T &value)
    {
        const T copy = value; // it may be one of the elements
        if (size_ == capacity_)
            reserve(std::max<std::size_t>(8, 2 * capacity_));
        values_[size_++] = copy;
    }
    void pop_back() { --size_; }
    template <typename Source, typename = typename std::iterator_traits<Source>::iterator_category>
    void assign(Source first, Source last)
    {
        size_ = 0;
        reserve(static_cast<std::size_t>(std::distance(first, last)));
        size_ = static_cast<std::size_t>(std::copy(first, last, values_.get()) - values_.get());
    }
    void assign(std::size_t count, const T &value)
    {
        const T copy = value;
        size_ = 0;
        resize(count, copy);
    }
    Iterator erase(ConstIterator first, ConstIterator last)
    {
        const auto at = first - cbegin();
        std::move(values_.get() + (last - cbegin()), values_.get() + size_, values_.get() + at);
        size_ -= static_cast<std::size_t>(last - first);
        return begin() + at;
    }
    Iterator erase(ConstIterator at) { return erase(at, at + 1); }
    template <typename Source, typename = typename std::iterator_traits<Source>::iterator_category>
    void insert(ConstIterator place, Source first, Source last)
    {
        const auto at = place - cbegin();
        const std::vector<T> values(first, last);
        resize(size_ + values.size());
        std::move_backward(values_.get() + at, values_.get() + size_ - values.size(),
                           values_.get() + size_);
        std::copy(values.begin(), values.end(), values_.get() + at);
    }
    Iterator insert(ConstIterator place, const T &value)
    {
        const auto at = place - cbegin();
        const T copy = value;
        insert(place, &copy, &copy + 1);
        return begin() + at;
    }
    void swap(Vector &other) noexcept
    {
        std::swap(values_, other.values_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

  private:
    std::unique_ptr<T[]> values_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

template <typename T> using HostVector = Vector<T, T *, const T *>;
template <typename T> using DeviceVector = Vector<T, device_ptr<T>, device_ptr<const T>>;

} // namespace detail

template <typename T, typename Allocator = void> class device_vector;

template <typename T, typename Allocator = void> class host_vector : public detail::HostVector<T> {
  public:
    using detail::HostVector<T>::HostVector;
    host_vector() = default;
    template <typename A> host_vector(const std::vector<T, A> &v)
    {
        this->assign(v.begin(), v.end());
    }
    template <typename U, typename A> host_vector(const device_vector<U, A> &v)
    {
        this->assign(v.begin(), v.end());
    }
};

template <typename T, typename Allocator> class device_vector : public detail::DeviceVector<T> {
  public:
    using detail::DeviceVector<T>::DeviceVector;
    device_vector() = default;
    template <typename A> device_vector(const std::vector<T, A> &v)
    {
        this->assign(v.begin(), v.end());
    }
    template <typename U, typename A> device_vector(const host_vector<U, A> &v)
    {
        this->assign(v.begin(), v.end());
    }
    template <typename U, typename A> device_vector(const device_vector<U, A> &v)
    {
        this->assign(v.begin(), v.end());
    }
};

namespace detail {
template <typename T> struct IsVector : std::false_type {};
template <typename T, typename A> struct IsVector<host_vector<T, A>> : std::true_type {};
template <typename T, typename A> struct IsVector<device_vector<T, A>> : std::true_type {};

// Two vectors of which one at least is Thrust's; the other may be the library's.
template <typename A> struct IsAnyVector : IsVector<A> {};
template <typename T, typename A> struct IsAnyVector<std::vector<T, A>> : std::true_type {};
template <typename A, typename B>
constexpr bool are_vectors = (IsVector<A>::value || IsVector<B>::value) &&
                             IsAnyVector<A>::value && IsAnyVector<B>::value;
} // namespace detail

template <typename A, typename B>
std::enable_if_t<detail::are_vectors<A, B>, bool> operator==(const A &a, const B &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
template <typename A, typename B>
std::enable_if_t<detail::are_vectors<A, B>, bool> operator!=(const A &a, const B &b)
{
    return !(a == b);
}

// ================================================================================================
// 6. The algorithms
// ================================================================================================

namespace algorithms {

using detail::Difference;
using detail::Execution;
using detail::Value;

// ---- Element by element ------------------------------------------------------------------------

template <typename Input, typename Function>
Input for_each(Execution run, Input first, Input last, Function f)
{
    if constexpr (!detail::is_random_access<Input>) {
        std::for_each(first, last, f);
        return last;
    } else {
        detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) { f(first[i]); });
        return last;
    }
}
template <typename Input, typename Size, typename Function>
Input for_each_n(Execution run, Input first, Size count, Function f)
{
    return for_each(run, first, std::next(first, count), f);
}

template <typename Input, typename Output, typename Function>
Output transform(Execution run, Input first, Input last, Output out, Function f)
{
    if constexpr (!detail::is_random_access<Input> || !detail::is_random_access<Output>) {
        return std::transform(first, last, out, f);
    } else {
        detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) { out[i] = f(first[i]); });
        return out + (last - first);
    }
}
template <typename A, typename B, typename Output, typename Function,
          typename = typename std::iterator_traits<B>::iterator_category>
Output transform(Execution run, A first, A last, B second, Output out, Function f)
{
    if constexpr (!detail::is_random_access<A> || !detail::is_random_access<B> ||
                  !detail::is_random_access<Output>) {
        return std::transform(first, last, second, out, f);
    } else {
        detail::for_each_index(run, last - first,
                               [&](std::ptrdiff_t i) { out[i] = f(first[i], second[i]); });
        return out + (last - first);
    }
}
template <typename Input, typename Output, typename Function, typename Predicate>
Output transform_if(Execution run, Input first, Input last, Output out, Function f,
                    Predicate predicate)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (predicate(first[i]))
            out[i] = f(first[i]);
    });
    return out + (last - first);
}
template <typename Input, typename Stencil, typename Output, typename Function, typename Predicate>
Output transform_if(Execution run, Input first, Input last, Stencil stencil, Output out, Function f,
                    Predicate predicate)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (predicate(stencil[i]))
            out[i] = f(first[i]);
    });
    return out + (last - first);
}
template <typename Input, typename Other, typename Stencil, typename Output, typename Function,
          typename Predicate>
Output transform_if(Execution run, Input first, Input last, Other second, Stencil stencil,
                    Output out, Function f, Predicate predicate)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (predicate(stencil[i]))
            out[i] = f(first[i], second[i]);
    });
    return out + (last - first);
}

template <typename Input, typename Output>
Output copy(Execution run, Input first, Input last, Output out)
{
    if constexpr (!detail::is_random_access<Input> || !detail::is_random_access<Output>) {
        return std::copy(first, last, out);
    } else {
        detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) { out[i] = first[i]; });
        return out + (last - first);
    }
}
template <typename Input, typename Size, typename Output>
Output copy_n(Execution run, Input first, Size count, Output out)
{
    return copy(run, first, std::next(first, count), out);
}

template <typename Output, typename T>
void fill(Execution run, Output first, Output last, const T &value)
{
    if constexpr (!detail::is_random_access<Output>)
        std::fill(first, last, value);
    else
        detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) { first[i] = value; });
}
template <typename Output, typename Size, typename T>
Output fill_n(Execution run, Output first, Size count, const T &value)
{
    fill(run, first, first + count, value);
    return first + count;
}
template <typename Output, typename T>
void uninitialized_fill(Execution run, Output first, Output last, const T &value)
{
    fill(run, first, last, value);
}

template <typename Output, typename T, typename Step>
void sequence(Execution run, Output first, Output last, T init, Step step)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        first[i] = static_cast<Value<Output>>(init + step * static_cast<T>(i));
    });
}
template <typename Output, typename T>
void sequence(Execution run, Output first, Output last, T init)
{
    sequence(run, first, last, init, T(1));
}
template <typename Output> void sequence(Execution run, Output first, Output last)
{
    sequence(run, first, last, Value<Output>(0));
}
template <typename Output, typename Function>
void tabulate(Execution run, Output first, Output last, Function f)
{
    using Index = Difference<Output>;
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) { first[i] = f(Index(i)); });
}
// In order: what is called may have a state, as rand() has.
template <typename Output, typename Generator>
void generate(Execution, Output first, Output last, Generator generator)
{
    std::generate(first, last, generator);
}
template <typename Output, typename Size, typename Generator>
Output generate_n(Execution, Output first, Size count, Generator generator)
{
    return std::generate_n(first, count, generator);
}

template <typename Indices, typename Input, typename Output>
Output gather(Execution run, Indices first, Indices last, Input in, Output out)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        out[i] = in[static_cast<std::ptrdiff_t>(first[i])];
    });
    return out + (last - first);
}
template <typename Input, typename Indices, typename Output>
void scatter(Execution run, Input first, Input last, Indices map, Output out)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        out[static_cast<std::ptrdiff_t>(map[i])] = first[i];
    });
}
template <typename Input, typename Indices, typename Stencil, typename Output>
void scatter_if(Execution run, Input first, Input last, Indices map, Stencil stencil, Output out)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (stencil[i])
            out[static_cast<std::ptrdiff_t>(map[i])] = first[i];
    });
}

template <typename Output, typename T>
void replace(Execution run, Output first, Output last, const T &old_value, const T &new_value)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (first[i] == old_value)
            first[i] = new_value;
    });
}
template <typename Output, typename Predicate, typename T>
void replace_if(Execution run, Output first, Output last, Predicate predicate, const T &new_value)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (predicate(first[i]))
            first[i] = new_value;
    });
}
template <typename Output, typename Stencil, typename Predicate, typename T>
void replace_if(Execution run, Output first, Output last, Stencil stencil, Predicate predicate,
                const T &new_value)
{
    detail::for_each_index(run, last - first, [&](std::ptrdiff_t i) {
        if (predicate(stencil[i]))
            first[i] = new_value;
    });
}

template <typename Input, typename Output, typename Function>
Output adjacent_difference(Execution, Input first, Input last, Output out, Function f)
{
    if (first == last)
        return out;
    Value<Input> previous = *first;
    *out = previous;
    for (++first, ++out; first != last; ++first, ++out) {
        Value<Input> current = *first; // `out` may be what is read
        *out = f(current, previous);
        previous = current;
    }
    return out;
}
template <typename Input, typename Output>
Output adjacent_difference(Execution run, Input first, Input last, Output out)
{
    return adjacent_difference(run, first, last, out, std::minus<>());
}
template <typename Iterator> void reverse(Execution, Iterator first, Iterator last)
{
    for (auto i = first, j = last; i < j && i < --j; ++i) {
        Value<Iterator> saved = *i;
        *i = *j;
        *j = saved;
    }
}
template <typename Input, typename Output>
Output reverse_copy(Execution, Input first, Input last, Output out)
{
    return std::reverse_copy(first, last, out);
}
template <typename A, typename B> B swap_ranges(Execution, A first, A last, B second)
{
    return std::swap_ranges(first, last, second);
}

// ---- Reductions --------------------------------------------------------------------------------

template <typename Input, typename T, typename Operation>
T reduce(Execution run, Input first, Input last, T init, Operation op)
{
    if constexpr (!detail::is_random_access<Input>) {
        for (; first != last; ++first)
            init = op(init, *first);
        return init;
    } else {
        return detail::combine(run, last - first, init, op,
                               [&](std::ptrdiff_t i) -> decltype(auto) { return first[i]; });
    }
}
template <typename Input, typename T> T reduce(Execution run, Input first, Input last, T init)
{
    return reduce(run, first, last, init, std::plus<>());
}
template <typename Input> Value<Input> reduce(Execution run, Input first, Input last)
{
    return reduce(run, first, last, Value<Input>());
}
template <typename Input, typename Function, typename T, typename Operation>
T transform_reduce(Execution run, Input first, Input last, Function f, T init, Operation op)
{
    return detail::combine(run, std::distance(first, last), init, op,
                           [&](std::ptrdiff_t i) -> decltype(auto) { return f(first[i]); });
}
template <typename A, typename B, typename T, typename Sum, typename Product>
T inner_product(Execution run, A first, A last, B second, T init, Sum sum, Product product)
{
    return detail::combine(run, last - first, init, sum, [&](std::ptrdiff_t i) -> decltype(auto) {
        return product(first[i], second[i]);
    });
}
template <typename A, typename B, typename T>
T inner_product(Execution run, A first, A last, B second, T init)
{
    return inner_product(run, first, last, second, init, std::plus<>(), std::multiplies<>());
}

template <typename Input, typename Predicate>
Difference<Input> count_if(Execution run, Input first, Input last, Predicate predicate)
{
    using Count = Difference<Input>;
    return detail::combine(run, last - first, Count(0), std::plus<Count>(),
                           [&](std::ptrdiff_t i) { return Count(predicate(first[i]) ? 1 : 0); });
}
template <typename Input, typename T>
Difference<Input> count(Execution run, Input first, Input last, const T &value)
{
    return count_if(run, first, last, [&](const auto &each) { return each == value; });
}
template <typename Input, typename Predicate>
bool all_of(Execution run, Input first, Input last, Predicate predicate)
{
    return count_if(run, first, last, predicate) == last - first;
}
template <typename Input, typename Predicate>
bool any_of(Execution run, Input first, Input last, Predicate predicate)
{
    return count_if(run, first, last, predicate) != 0;
}
template <typename Input, typename Predicate>
bool none_of(Execution run, Input first, Input last, Predicate predicate)
{
    return count_if(run, first, last, predicate) == 0;
}

// The first of the best elements, as the C++ library has it.
template <typename Input, typename Better>
Input first_best(Execution run, Input first, Input last, Better better)
{
    const auto best = [&](std::ptrdiff_t a, std::ptrdiff_t b) {
        return better(first[b], first[a]) ? b : a;
    };
    return first + detail::combine(run, last - first, std::ptrdiff_t(0), best,
                                   [](std::ptrdiff_t i) { return i; });
}
template <typename Input, typename Compare>
Input min_element(Execution run, Input first, Input last, Compare less)
{
    if (first == last)
        return last;
    return first_best(run, first, last, less);
}
template <typename Input> Input min_element(Execution run, Input first, Input last)
{
    return min_element(run, first, last, std::less<>());
}
template <typename Input, typename Compare>
Input max_element(Execution run, Input first, Input last, Compare less)
{
    if (first == last)
        return last;
    return first_best(run, first, last, [&](const auto &a, const auto &b) { return less(b, a); });
}
template <typename Input> Input max_element(Execution run, Input first, Input last)
{
    return max_element(run, first, last, std::less<>());
}
template <typename Input, typename Compare>
std::pair<Input, Input> minmax_element(Execution run, Input first, Input last, Compare less)
{
    return {min_element(run, first, last, less), max_element(run, first, last, less)};
}
template <typename Input>
std::pair<Input, Input> minmax_element(Execution run, Input first, Input last)
{
    return minmax_element(run, first, last, std::less<>());
}

template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal,
          typename Operation>
std::pair<KeysOut, ValuesOut> reduce_by_key(Execution, Keys first, Keys last, Values values,
                                            KeysOut keys_out, ValuesOut values_out, Equal equal,
                                            Operation op)
{
    while (first != last) {
        Value<Keys> key = *first;
        Value<Values> sum = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            sum = op(sum, *values);
        *keys_out++ = key;
        *values_out++ = sum;
    }
    return {keys_out, values_out};
}
template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
std::pair<KeysOut, ValuesOut> reduce_by_key(Execution run, Keys first, Keys last, Values values,
                                            KeysOut keys_out, ValuesOut values_out, Equal equal)
{
    return reduce_by_key(run, first, last, values, keys_out, values_out, equal, std::plus<>());
}
template <typename Keys, typename Values, typename KeysOut, typename ValuesOut>
std::pair<KeysOut, ValuesOut> reduce_by_key(Execution run, Keys first, Keys last, Values values,
                                            KeysOut keys_out, ValuesOut values_out)
{
    return reduce_by_key(run, first, last, values, keys_out, values_out, std::equal_to<>());
}

// ---- Scans -------------------------------------------------------------------------------------

template <typename Input, typename Output, typename Function, typename Operation>
Output transform_inclusive_scan(Execution run, Input first, Input last, Output out, Function f,
                                Operation op)
{
    using T = std::decay_t<decltype(f(*first))>;
    detail::scan<false, T>(
        run, last - first, nullptr, op,
        [&](std::ptrdiff_t i) -> decltype(auto) { return f(first[i]); },
        [&](std::ptrdiff_t i, const T &sum) { out[i] = sum; });
    return out + (last - first);
}
template <typename Input, typename Output, typename Function, typename T, typename Operation>
Output transform_exclusive_scan(Execution run, Input first, Input last, Output out, Function f,
                                T init, Operation op)
{
    detail::scan<true, T>(
        run, last - first, &init, op,
        [&](std::ptrdiff_t i) -> decltype(auto) { return f(first[i]); },
        [&](std::ptrdiff_t i, const T &sum) { out[i] = sum; });
    return out + (last - first);
}
template <typename Input, typename Output, typename Operation>
Output inclusive_scan(Execution run, Input first, Input last, Output out, Operation op)
{
    using T = Value<Input>;
    return transform_inclusive_scan(
        run, first, last, out, [](const T &value) -> const T & { return value; }, op);
}
template <typename Input, typename Output>
Output inclusive_scan(Execution run, Input first, Input last, Output out)
{
    return inclusive_scan(run, first, last, out, std::plus<>());
}
template <typename Input, typename Output, typename T, typename Operation>
Output exclusive_scan(Execution run, Input first, Input last, Output out, T init, Operation op)
{
    using Element = Value<Input>;
    return transform_exclusive_scan(
        run, first, last, out, [](const Element &value) -> const Element & { return value; }, init,
        op);
}
template <typename Input, typename Output, typename T>
Output exclusive_scan(Execution run, Input first, Input last, Output out, T init)
{
    return exclusive_scan(run, first, last, out, init, std::plus<>());
}
template <typename Input, typename Output>
Output exclusive_scan(Execution run, Input first, Input last, Output out)
{
    return exclusive_scan(run, first, last, out, Value<Input>());
}
template <typename Keys, typename Input, typename Output, typename Equal, typename Operation>
Output inclusive_scan_by_key(Execution, Keys first, Keys last, Input in, Output out, Equal equal,
                             Operation op)
{
    while (first != last) {
        Value<Keys> key = *first;
        Value<Input> sum = *in;
        *out = sum;
        for (++first, ++in, ++out; first != last && equal(key, *first); ++first, ++in, ++out) {
            sum = op(sum, *in);
            *out = sum;
            key = *first;
        }
    }
    return out;
}
template <typename Keys, typename Input, typename Output, typename Equal>
Output inclusive_scan_by_key(Execution run, Keys first, Keys last, Input in, Output out,
                             Equal equal)
{
    return inclusive_scan_by_key(run, first, last, in, out, equal, std::plus<>());
}
template <typename Keys, typename Input, typename Output>
Output inclusive_scan_by_key(Execution run, Keys first, Keys last, Input in, Output out)
{
    return inclusive_scan_by_key(run, first, last, in, out, std::equal_to<>());
}
template <typename Keys, typename Input, typename Output, typename T, typename Equal,
          typename Operation>
Output exclusive_scan_by_key(Execution, Keys first, Keys last, Input in, Output out, T init,
                             Equal equal, Operation op)
{
    while (first != last) {
        Value<Keys> key = *first;
        T sum = init;
        do {
            T next = op(sum, *in); // `out` may be what is read
            *out = sum;
            sum = next;
            key = *first;
            ++first, ++in, ++out;
        } while (first != last && equal(key, *first));
    }
    return out;
}
template <typename Keys, typename Input, typename Output, typename T, typename Equal>
Output exclusive_scan_by_key(Execution run, Keys first, Keys last, Input in, Output out, T init,
                             Equal equal)
{
    return exclusive_scan_by_key(run, first, last, in, out, init, equal, std::plus<>());
}
template <typename Keys, typename Input, typename Output, typename T>
Output exclusive_scan_by_key(Execution run, Keys first, Keys last, Input in, Output out, T init)
{
    return exclusive_scan_by_key(run, first, last, in, out, init, std::equal_to<>());
}
template <typename Keys, typename Input, typename Output>
Output exclusive_scan_by_key(Execution run, Keys first, Keys last, Input in, Output out)
{
    return exclusive_scan_by_key(run, first, last, in, out, Value<Input>());
}

// ---- Sorting and searching ---------------------------------------------------------------------

// Iterators may give tuples of references, which cannot be swapped: what is sorted are values.
template <typename Iterator, typename Compare>
void stable_sort(Execution run, Iterator first, Iterator last, Compare compare)
{
    using T = Value<Iterator>;
    const std::ptrdiff_t count = last - first;
    if constexpr (std::is_pointer_v<Iterator>) {
        detail::sort_values(run, first, count, compare);
    } else {
        const std::unique_ptr<T[]> values(new T[count]);
        detail::for_each_index(run, count, [&](std::ptrdiff_t i) { values[i] = first[i]; });
        detail::sort_values(run, values.get(), count, compare);
        detail::for_each_index(run, count, [&](std::ptrdiff_t i) { first[i] = values[i]; });
    }
}
template <typename T, typename Compare>
void stable_sort(Execution run, device_ptr<T> first, device_ptr<T> last, Compare compare)
{
    stable_sort(run, first.get(), last.get(), compare);
}
template <typename Iterator> void stable_sort(Execution run, Iterator first, Iterator last)
{
    stable_sort(run, first, last, std::less<>());
}
template <typename Iterator, typename Compare>
void sort(Execution run, Iterator first, Iterator last, Compare compare)
{
    stable_sort(run, first, last, compare);
}
template <typename Iterator> void sort(Execution run, Iterator first, Iterator last)
{
    stable_sort(run, first, last, std::less<>());
}

template <typename Keys, typename Values, typename Compare>
void stable_sort_by_key(Execution run, Keys first, Keys last, Values values, Compare compare)
{
    using Pair = std::pair<Value<Keys>, Value<Values>>;
    const std::ptrdiff_t count = last - first;
    const std::unique_ptr<Pair[]> pairs(new Pair[count]);
    detail::for_each_index(run, count, [&](std::ptrdiff_t i) {
        pairs[i].first = first[i];
        pairs[i].second = values[i];
    });
    detail::sort_values(run, pairs.get(), count,
                        [&](const Pair &a, const Pair &b) { return compare(a.first, b.first); });
    detail::for_each_index(run, count, [&](std::ptrdiff_t i) {
        first[i] = pairs[i].first;
        values[i] = pairs[i].second;
    });
}
template <typename Keys, typename Values>
void stable_sort_by_key(Execution run, Keys first, Keys last, Values values)
{
    stable_sort_by_key(run, first, last, values, std::less<>());
}
template <typename Keys, typename Values, typename Compare>
void sort_by_key(Execution run, Keys first, Keys last, Values values, Compare compare)
{
    stable_sort_by_key(run, first, last, values, compare);
}
template <typename Keys, typename Values>
void sort_by_key(Execution run, Keys first, Keys last, Values values)
{
    stable_sort_by_key(run, first, last, values, std::less<>());
}

template <typename Input, typename Compare>
bool is_sorted(Execution, Input first, Input last, Compare compare)
{
    return std::is_sorted(first, last, compare);
}
template <typename Input> bool is_sorted(Execution, Input first, Input last)
{
    return std::is_sorted(first, last);
}
template <typename Input, typename T> Input find(Execution, Input first, Input last, const T &value)
{
    return std::find(first, last, value);
}
template <typename Input, typename Predicate>
Input find_if(Execution, Input first, Input last, Predicate predicate)
{
    return std::find_if(first, last, predicate);
}
template <typename Input, typename Predicate>
Input find_if_not(Execution, Input first, Input last, Predicate predicate)
{
    return std::find_if_not(first, last, predicate);
}
template <typename A, typename B> bool equal(Execution, A first, A last, B second)
{
    return std::equal(first, last, second);
}
template <typename A, typename B, typename Equal>
bool equal(Execution, A first, A last, B second, Equal same)
{
    return std::equal(first, last, second, same);
}
template <typename A, typename B> std::pair<A, B> mismatch(Execution, A first, A last, B second)
{
    return std::mismatch(first, last, second);
}

template <typename Input, typename T>
Input lower_bound(Execution, Input first, Input last, const T &value)
{
    return std::lower_bound(first, last, value);
}
template <typename Input, typename T, typename Compare>
Input lower_bound(Execution, Input first, Input last, const T &value, Compare compare)
{
    return std::lower_bound(first, last, value, compare);
}
template <typename Input, typename T>
Input upper_bound(Execution, Input first, Input last, const T &value)
{
    return std::upper_bound(first, last, value);
}
template <typename Input, typename T, typename Compare>
Input upper_bound(Execution, Input first, Input last, const T &value, Compare compare)
{
    return std::upper_bound(first, last, value, compare);
}
template <typename Input, typename T>
bool binary_search(Execution, Input first, Input last, const T &value)
{
    return std::binary_search(first, last, value);
}
// Of many values at once: indices, or whether they are there.
template <typename Input, typename Values, typename Output>
Output lower_bound(Execution run, Input first, Input last, Values from, Values to, Output out)
{
    return transform(run, from, to, out, [=](const auto &value) {
        return static_cast<Value<Output>>(std::lower_bound(first, last, value) - first);
    });
}
template <typename Input, typename Values, typename Output>
Output upper_bound(Execution run, Input first, Input last, Values from, Values to, Output out)
{
    return transform(run, from, to, out, [=](const auto &value) {
        return static_cast<Value<Output>>(std::upper_bound(first, last, value) - first);
    });
}
template <typename Input, typename Values, typename Output>
Output binary_search(Execution run, Input first, Input last, Values from, Values to, Output out)
{
    return transform(run, from, to, out, [=](const auto &value) {
        return static_cast<Value<Output>>(std::binary_search(first, last, value));
    });
}

template <typename A, typename B, typename Output>
Output merge(Execution, A first, A last, B second, B second_last, Output out)
{
    return std::merge(first, last, second, second_last, out);
}
template <typename A, typename B, typename Output>
Output set_union(Execution, A first, A last, B second, B second_last, Output out)
{
    return std::set_union(first, last, second, second_last, out);
}
template <typename A, typename B, typename Output>
Output set_intersection(Execution, A first, A last, B second, B second_last, Output out)
{
    return std::set_intersection(first, last, second, second_last, out);
}
template <typename A, typename B, typename Output>
Output set_difference(Execution, A first, A last, B second, B second_last, Output out)
{
    return std::set_difference(first, last, second, second_last, out);
}

// ---- Selection: what stays keeps its order -----------------------------------------------------

template <typename Input, typename Stencil, typename Output, typename Predicate>
Output copy_if(Execution, Input first, Input last, Stencil stencil, Output out, Predicate predicate)
{
    for (; first != last; ++first, ++stencil) {
        if (predicate(*stencil))
            *out++ = *first;
    }
    return out;
}
template <typename Input, typename Output, typename Predicate>
Output copy_if(Execution run, Input first, Input last, Output out, Predicate predicate)
{
    return copy_if(run, first, last, first, out, predicate);
}
template <typename Input, typename Stencil, typename Output, typename Predicate>
Output remove_copy_if(Execution run, Input first, Input last, Stencil stencil, Output out,
                      Predicate predicate)
{
    return copy_if(run, first, last, stencil, out,
                   [&](const auto &each) { return !predicate(each); });
}
template <typename Input, typename Output, typename Predicate>
Output remove_copy_if(Execution run, Input first, Input last, Output out, Predicate predicate)
{
    return remove_copy_if(run, first, last, first, out, predicate);
}
template <typename Iterator, typename Stencil, typename Predicate>
Iterator remove_if(Execution run, Iterator first, Iterator last, Stencil stencil,
                   Predicate predicate)
{
    return remove_copy_if(run, first, last, stencil, first, predicate);
}
template <typename Iterator, typename Predicate>
Iterator remove_if(Execution run, Iterator first, Iterator last, Predicate predicate)
{
    return remove_copy_if(run, first, last, first, first, predicate);
}
template <typename Iterator, typename T>
Iterator remove(Execution run, Iterator first, Iterator last, const T &value)
{
    const T copy = value; // it may be one of the elements
    return remove_if(run, first, last, [&](const auto &each) { return each == copy; });
}

template <typename Input, typename Output, typename Equal>
Output unique_copy(Execution, Input first, Input last, Output out, Equal equal)
{
    while (first != last) {
        Value<Input> value = *first;
        *out++ = value;
        for (++first; first != last && equal(value, *first);)
            ++first;
    }
    return out;
}
template <typename Input, typename Output>
Output unique_copy(Execution run, Input first, Input last, Output out)
{
    return unique_copy(run, first, last, out, std::equal_to<>());
}
template <typename Iterator, typename Equal>
Iterator unique(Execution run, Iterator first, Iterator last, Equal equal)
{
    return unique_copy(run, first, last, first, equal);
}
template <typename Iterator> Iterator unique(Execution run, Iterator first, Iterator last)
{
    return unique_copy(run, first, last, first, std::equal_to<>());
}
template <typename Keys, typename Values, typename Equal>
std::pair<Keys, Values> unique_by_key(Execution run, Keys first, Keys last, Values values,
                                      Equal equal)
{
    return reduce_by_key(run, first, last, values, first, values, equal,
                         [](const auto &a, const auto &) { return a; });
}
template <typename Keys, typename Values>
std::pair<Keys, Values> unique_by_key(Execution run, Keys first, Keys last, Values values)
{
    return unique_by_key(run, first, last, values, std::equal_to<>());
}

template <typename Iterator, typename Stencil, typename Predicate>
Iterator stable_partition(Execution run, Iterator first, Iterator last, Stencil stencil,
                          Predicate predicate)
{
    std::vector<Value<Iterator>> others;
    Iterator out = first;
    for (Iterator at = first; at != last; ++at, ++stencil) {
        if (predicate(*stencil))
            *out++ = *at;
        else
            others.push_back(*at);
    }
    copy(run, others.begin(), others.end(), out);
    return out;
}
template <typename Iterator, typename Predicate>
Iterator stable_partition(Execution run, Iterator first, Iterator last, Predicate predicate)
{
    return stable_partition(run, first, last, first, predicate);
}
template <typename Iterator, typename Predicate>
Iterator partition(Execution run, Iterator first, Iterator last, Predicate predicate)
{
    return stable_partition(run, first, last, first, predicate);
}
template <typename Iterator, typename Stencil, typename Predicate>
Iterator partition(Execution run, Iterator first, Iterator last, Stencil stencil,
                   Predicate predicate)
{
    return stable_partition(run, first, last, stencil, predicate);
}

template <typename Input, typename Output, typename T>
Output remove_copy(Execution, Input first, Input last, Output out, const T &value)
{
    return std::remove_copy(first, last, out, value);
}
template <typename Input, typename Output, typename T>
Output replace_copy(Execution, Input first, Input last, Output out, const T &old, const T &value)
{
    return std::replace_copy(first, last, out, old, value);
}
template <typename Input, typename Output, typename Predicate, typename T>
Output replace_copy_if(Execution, Input first, Input last, Output out, Predicate predicate,
                       const T &value)
{
    return std::replace_copy_if(first, last, out, predicate, value);
}
template <typename Input, typename Stencil, typename Output, typename Predicate, typename T>
Output replace_copy_if(Execution, Input first, Input last, Stencil stencil, Output out,
                       Predicate predicate, const T &value)
{
    for (; first != last; ++first, ++stencil, ++out)
        *out = predicate(*stencil) ? Value<Output>(value) : Value<Output>(*first);
    return out;
}
template <typename Input, typename True, typename False, typename Predicate>
std::pair<True, False> partition_copy(Execution, Input first, Input last, True yes, False no,
                                      Predicate predicate)
{
    return std::partition_copy(first, last, yes, no, predicate);
}
template <typename Input, typename Predicate>
bool is_partitioned(Execution, Input first, Input last, Predicate predicate)
{
    return std::is_partitioned(first, last, predicate);
}
template <typename Map, typename Stencil, typename Input, typename Output, typename Predicate>
Output gather_if(Execution, Map first, Map last, Stencil stencil, Input in, Output out,
                 Predicate predicate)
{
    for (; first != last; ++first, ++stencil, ++out)
        if (predicate(*stencil))
            *out = in[*first];
    return out;
}
template <typename Map, typename Stencil, typename Input, typename Output>
Output gather_if(Execution run, Map first, Map last, Stencil stencil, Input in, Output out)
{
    return gather_if(run, first, last, stencil, in, out, [](auto chosen) { return bool(chosen); });
}

template <typename Keys, typename Values, typename OutKeys, typename OutValues, typename Equal>
std::pair<OutKeys, OutValues> unique_by_key_copy(Execution, Keys first, Keys last, Values values,
                                                 OutKeys keys, OutValues out, Equal equal)
{
    while (first != last) {
        const Value<Keys> key = *first;
        *keys++ = key;
        *out++ = *values;
        do {
            ++first, ++values;
        } while (first != last && equal(key, Value<Keys>(*first)));
    }
    return {keys, out};
}
template <typename Keys, typename Values, typename OutKeys, typename OutValues>
std::pair<OutKeys, OutValues> unique_by_key_copy(Execution run, Keys first, Keys last,
                                                 Values values, OutKeys keys, OutValues out)
{
    return unique_by_key_copy(run, first, last, values, keys, out, std::equal_to<>());
}

// Those of the first range come first where keys are alike.
template <typename Keys1, typename Keys2, typename Values1, typename Values2, typename OutKeys,
          typename OutValues, typename Less>
std::pair<OutKeys, OutValues> merge_by_key(Execution, Keys1 first1, Keys1 last1, Keys2 first2,
                                           Keys2 last2, Values1 values1, Values2 values2,
                                           OutKeys keys, OutValues out, Less less)
{
    while (first1 != last1 || first2 != last2) {
        const bool second = first1 == last1 || (first2 != last2 && less(*first2, *first1));
        *keys++ = second ? Value<OutKeys>(*first2++) : Value<OutKeys>(*first1++);
        *out++ = second ? Value<OutValues>(*values2++) : Value<OutValues>(*values1++);
    }
    return {keys, out};
}
template <typename Keys1, typename Keys2, typename Values1, typename Values2, typename OutKeys,
          typename OutValues>
std::pair<OutKeys, OutValues> merge_by_key(Execution run, Keys1 first1, Keys1 last1, Keys2 first2,
                                           Keys2 last2, Values1 values1, Values2 values2,
                                           OutKeys keys, OutValues out)
{
    return merge_by_key(run, first1, last1, first2, last2, values1, values2, keys, out,
                        std::less<>());
}

// Every order is as likely as any other; which one it is differs from that of a GPU.
template <typename Iterator, typename Engine>
void shuffle(Execution, Iterator first, Iterator last, Engine &&engine)
{
    std::mt19937_64 numbers(static_cast<std::uint64_t>(engine()));
    for (std::ptrdiff_t i = last - first - 1; i > 0; --i) {
        const auto other = static_cast<std::ptrdiff_t>(numbers() % std::uint64_t(i + 1));
        const Value<Iterator> kept = first[i];
        first[i] = Value<Iterator>(first[other]);
        first[other] = kept;
    }
}
template <typename Input, typename Output, typename Engine>
Output shuffle_copy(Execution run, Input first, Input last, Output out, Engine &&engine)
{
    const Output end = copy(run, first, last, out);
    shuffle(run, out, end, engine);
    return end;
}

} // namespace algorithms

// What programs call: the algorithm of that name, with or without a policy in front. No candidate for
// what it cannot be called with: a program's own `copy_if(vector, vector, predicate)` is found beside.
#define G2O_THRUST_ALGORITHM(name)                                                                 \
    template <typename First, typename... Rest, detail::IfPolicy<First> = 0>                       \
    auto name(First &&, Rest &&...rest)                                                            \
        -> decltype(algorithms::name(detail::execution_of<First>(), std::forward<Rest>(rest)...))  \
    {                                                                                              \
        return algorithms::name(detail::execution_of<First>(), std::forward<Rest>(rest)...);       \
    }                                                                                              \
    template <typename First, typename... Rest, detail::IfNoPolicy<First> = 0>                     \
    auto name(First &&first, Rest &&...rest)                                                       \
        -> decltype(algorithms::name(detail::execution_for<First, Rest...>(),                      \
                                     std::forward<First>(first), std::forward<Rest>(rest)...))     \
    {                                                                                              \
        return algorithms::name(detail::execution_for<First, Rest...>(),                           \
                                std::forward<First>(first), std::forward<Rest>(rest)...);          \
    }

G2O_THRUST_ALGORITHM(adjacent_difference)
G2O_THRUST_ALGORITHM(all_of)
G2O_THRUST_ALGORITHM(any_of)
G2O_THRUST_ALGORITHM(binary_search)
G2O_THRUST_ALGORITHM(copy)
G2O_THRUST_ALGORITHM(copy_if)
G2O_THRUST_ALGORITHM(copy_n)
G2O_THRUST_ALGORITHM(count)
G2O_THRUST_ALGORITHM(count_if)
G2O_THRUST_ALGORITHM(equal)
G2O_THRUST_ALGORITHM(exclusive_scan)
G2O_THRUST_ALGORITHM(exclusive_scan_by_key)
G2O_THRUST_ALGORITHM(fill)
G2O_THRUST_ALGORITHM(fill_n)
G2O_THRUST_ALGORITHM(find)
G2O_THRUST_ALGORITHM(find_if)
G2O_THRUST_ALGORITHM(find_if_not)
G2O_THRUST_ALGORITHM(for_each)
G2O_THRUST_ALGORITHM(for_each_n)
G2O_THRUST_ALGORITHM(gather)
G2O_THRUST_ALGORITHM(gather_if)
G2O_THRUST_ALGORITHM(generate)
G2O_THRUST_ALGORITHM(generate_n)
G2O_THRUST_ALGORITHM(inclusive_scan)
G2O_THRUST_ALGORITHM(inclusive_scan_by_key)
G2O_THRUST_ALGORITHM(inner_product)
G2O_THRUST_ALGORITHM(is_partitioned)
G2O_THRUST_ALGORITHM(is_sorted)
G2O_THRUST_ALGORITHM(lower_bound)
G2O_THRUST_ALGORITHM(max_element)
G2O_THRUST_ALGORITHM(merge)
G2O_THRUST_ALGORITHM(merge_by_key)
G2O_THRUST_ALGORITHM(min_element)
G2O_THRUST_ALGORITHM(minmax_element)
G2O_THRUST_ALGORITHM(mismatch)
G2O_THRUST_ALGORITHM(none_of)
G2O_THRUST_ALGORITHM(partition)
G2O_THRUST_ALGORITHM(partition_copy)
G2O_THRUST_ALGORITHM(reduce)
G2O_THRUST_ALGORITHM(reduce_by_key)
G2O_THRUST_ALGORITHM(remove)
G2O_THRUST_ALGORITHM(remove_copy)
G2O_THRUST_ALGORITHM(remove_copy_if)
G2O_THRUST_ALGORITHM(remove_if)
G2O_THRUST_ALGORITHM(replace)
G2O_THRUST_ALGORITHM(replace_copy)
G2O_THRUST_ALGORITHM(replace_copy_if)
G2O_THRUST_ALGORITHM(replace_if)
G2O_THRUST_ALGORITHM(reverse)
G2O_THRUST_ALGORITHM(reverse_copy)
G2O_THRUST_ALGORITHM(scatter)
G2O_THRUST_ALGORITHM(scatter_if)
G2O_THRUST_ALGORITHM(sequence)
G2O_THRUST_ALGORITHM(set_difference)
G2O_THRUST_ALGORITHM(set_intersection)
G2O_THRUST_ALGORITHM(set_union)
G2O_THRUST_ALGORITHM(shuffle)
G2O_THRUST_ALGORITHM(shuffle_copy)
G2O_THRUST_ALGORITHM(sort)
G2O_THRUST_ALGORITHM(sort_by_key)
G2O_THRUST_ALGORITHM(stable_partition)
G2O_THRUST_ALGORITHM(stable_sort)
G2O_THRUST_ALGORITHM(stable_sort_by_key)
G2O_THRUST_ALGORITHM(swap_ranges)
G2O_THRUST_ALGORITHM(tabulate)
G2O_THRUST_ALGORITHM(transform)
G2O_THRUST_ALGORITHM(transform_exclusive_scan)
G2O_THRUST_ALGORITHM(transform_if)
G2O_THRUST_ALGORITHM(transform_inclusive_scan)
G2O_THRUST_ALGORITHM(transform_reduce)
G2O_THRUST_ALGORITHM(uninitialized_fill)
G2O_THRUST_ALGORITHM(unique)
G2O_THRUST_ALGORITHM(unique_by_key)
G2O_THRUST_ALGORITHM(unique_by_key_copy)
G2O_THRUST_ALGORITHM(unique_copy)
G2O_THRUST_ALGORITHM(upper_bound)
#undef G2O_THRUST_ALGORITHM

// ================================================================================================
// 7. Complex numbers
// ================================================================================================

// Products and quotients are those of the textbook: infinities are not looked after, as in kernels.
template <typename T> struct complex {
    using value_type = T;

    constexpr complex(const T &re = T(), const T &im = T()) : re_(re), im_(im) {}
    template <typename U> constexpr complex(const complex<U> &z) : re_(T(z.real())), im_(T(z.imag()))
    {
    }
    constexpr complex(const std::complex<T> &z) : re_(z.real()), im_(z.imag()) {}
    operator std::complex<T>() const { return {re_, im_}; }

    constexpr T real() const { return re_; }
    constexpr T imag() const { return im_; }
    void real(T re) { re_ = re; }
    void imag(T im) { im_ = im; }

    template <typename U> constexpr complex &operator+=(const U &b) { return *this = *this + b; }
    template <typename U> constexpr complex &operator-=(const U &b) { return *this = *this - b; }
    template <typename U> constexpr complex &operator*=(const U &b) { return *this = *this * b; }
    template <typename U> constexpr complex &operator/=(const U &b) { return *this = *this / b; }

  private:
    T re_, im_;
};

namespace detail {
template <typename A, typename B> using Wider = decltype(A() + B());
template <typename T> using IfNumber = std::enable_if_t<std::is_arithmetic_v<T>, int>;
} // namespace detail

template <typename A, typename B>
constexpr complex<detail::Wider<A, B>> operator+(const complex<A> &a, const complex<B> &b)
{
    return {a.real() + b.real(), a.imag() + b.imag()};
}
template <typename A, typename B>
constexpr complex<detail::Wider<A, B>> operator-(const complex<A> &a, const complex<B> &b)
{
    return {a.real() - b.real(), a.imag() - b.imag()};
}
template <typename A, typename B>
constexpr complex<detail::Wider<A, B>> operator*(const complex<A> &a, const complex<B> &b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <typename A, typename B>
complex<detail::Wider<A, B>> operator/(const complex<A> &a, const complex<B> &b)
{
    using T = detail::Wider<A, B>;
    const T scale = std::abs(b.real()) + std::abs(b.imag());
    const T are = a.real() / scale, aim = a.imag() / scale;
    const T bre = b.real() / scale, bim = b.imag() / scale;
    const T square = bre * bre + bim * bim;
    return {(are * bre + aim * bim) / square, (aim * bre - are * bim) / square};
}
#define G2O_THRUST_COMPLEX(symbol)                                                                 \
    template <typename A, typename B, detail::IfNumber<B> = 0>                                     \
    constexpr complex<detail::Wider<A, B>> operator symbol(const complex<A> &a, const B &b)        \
    {                                                                                              \
        return a symbol complex<B>(b);                                                             \
    }                                                                                              \
    template <typename A, typename B, detail::IfNumber<A> = 0>                                     \
    constexpr complex<detail::Wider<A, B>> operator symbol(const A &a, const complex<B> &b)        \
    {                                                                                              \
        return complex<A>(a) symbol b;                                                             \
    }
G2O_THRUST_COMPLEX(+)
G2O_THRUST_COMPLEX(-)
G2O_THRUST_COMPLEX(*)
G2O_THRUST_COMPLEX(/)
#undef G2O_THRUST_COMPLEX
template <typename T> constexpr complex<T> operator+(const complex<T> &z) { return z; }
template <typename T> constexpr complex<T> operator-(const complex<T> &z)
{
    return {-z.real(), -z.imag()};
}
template <typename A, typename B>
constexpr bool operator==(const complex<A> &a, const complex<B> &b)
{
    return a.real() == b.real() && a.imag() == b.imag();
}
template <typename A, typename B>
constexpr bool operator!=(const complex<A> &a, const complex<B> &b)
{
    return !(a == b);
}
template <typename A, typename B, detail::IfNumber<B> = 0>
constexpr bool operator==(const complex<A> &a, const B &b)
{
    return a == complex<B>(b);
}
template <typename Stream, typename T>
auto operator<<(Stream &stream, const complex<T> &z) -> decltype(stream << std::complex<T>())
{
    return stream << std::complex<T>(z);
}

template <typename T> T abs(const complex<T> &z) { return std::hypot(z.real(), z.imag()); }
template <typename T> T arg(const complex<T> &z) { return std::atan2(z.imag(), z.real()); }
template <typename T> constexpr T norm(const complex<T> &z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T> constexpr complex<T> conj(const complex<T> &z)
{
    return {z.real(), -z.imag()};
}
template <typename T> complex<T> polar(const T &radius, const T &angle = T())
{
    return {radius * std::cos(angle), radius * std::sin(angle)};
}
#define G2O_THRUST_COMPLEX(name)                                                                   \
    template <typename T> complex<T> name(const complex<T> &z)                                     \
    {                                                                                              \
        return std::name(std::complex<T>(z));                                                      \
    }
G2O_THRUST_COMPLEX(acos)
G2O_THRUST_COMPLEX(acosh)
G2O_THRUST_COMPLEX(asin)
G2O_THRUST_COMPLEX(asinh)
G2O_THRUST_COMPLEX(atan)
G2O_THRUST_COMPLEX(atanh)
G2O_THRUST_COMPLEX(cos)
G2O_THRUST_COMPLEX(cosh)
G2O_THRUST_COMPLEX(exp)
G2O_THRUST_COMPLEX(log)
G2O_THRUST_COMPLEX(log10)
G2O_THRUST_COMPLEX(proj)
G2O_THRUST_COMPLEX(sin)
G2O_THRUST_COMPLEX(sinh)
G2O_THRUST_COMPLEX(sqrt)
G2O_THRUST_COMPLEX(tan)
G2O_THRUST_COMPLEX(tanh)
#undef G2O_THRUST_COMPLEX
template <typename T> complex<T> pow(const complex<T> &z, const complex<T> &exponent)
{
    return std::pow(std::complex<T>(z), std::complex<T>(exponent));
}
template <typename T, typename U, detail::IfNumber<U> = 0>
complex<T> pow(const complex<T> &z, const U &exponent)
{
    return std::pow(std::complex<T>(z), T(exponent));
}

// ================================================================================================
// 8. Random numbers
// ================================================================================================

namespace random {

// x -> a * x mod m, as std::linear_congruential_engine without an increment; `discard` takes time
// that grows with the logarithm of the count.
template <typename T, T Factor, T Modulus> class multiplicative_engine {
  public:
    using result_type = T;
    static constexpr T min = 1, max = Modulus - 1, default_seed = 1;

    constexpr explicit multiplicative_engine(T value = default_seed) { seed(value); }
    constexpr void seed(T value = default_seed)
    {
        state_ = value % Modulus == 0 ? 1 : value % Modulus;
    }
    constexpr T operator()() { return state_ = times(state_, Factor); }
    constexpr void discard(unsigned long long count)
    {
        for (T factor = Factor; count > 0; count >>= 1, factor = times(factor, factor)) {
            if (count & 1)
                state_ = times(state_, factor);
        }
    }

  private:
    static constexpr T times(T a, T b) { return T(std::uint64_t(a) * b % Modulus); }
    T state_ = default_seed;
};
using minstd_rand0 = multiplicative_engine<std::uint32_t, 16807, 2147483647>;
using minstd_rand = multiplicative_engine<std::uint32_t, 48271, 2147483647>;
using default_random_engine = minstd_rand;

// Both distributions take one number of the engine for one of theirs.
template <typename Real = double> class uniform_real_distribution {
  public:
    using result_type = Real;

    constexpr explicit uniform_real_distribution(Real a = 0, Real b = 1) : a_(a), b_(b) {}
    constexpr Real a() const { return a_; }
    constexpr Real b() const { return b_; }
    constexpr void reset() {}
    template <typename Engine> constexpr Real operator()(Engine &engine) const
    {
        const Real part = Real(engine() - Engine::min) / (1 + Real(Engine::max - Engine::min));
        return part * (b_ - a_) + a_;
    }

  private:
    Real a_, b_;
};
template <typename Integer = int> class uniform_int_distribution {
  public:
    using result_type = Integer;

    constexpr explicit uniform_int_distribution(
        Integer a = 0, Integer b = std::numeric_limits<Integer>::max())
        : a_(a), b_(b)
    {
    }
    constexpr Integer a() const { return a_; }
    constexpr Integer b() const { return b_; }
    constexpr void reset() {}
    template <typename Engine> constexpr Integer operator()(Engine &engine) const
    {
        return Integer(uniform_real_distribution<double>(double(a_), double(b_) + 1)(engine));
    }

  private:
    Integer a_, b_;
};

} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

} // namespace g2o_openmp
} // namespace thrust

#pragma pop_macro("real")

} // extern "C++"

#endif
