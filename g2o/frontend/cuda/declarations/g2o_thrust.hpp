// Thrust, as far as g2o_thrust.hpp of the runtime has it. Algorithms call nothing of a program:
// that need not be for hosts. What may be made for a lambda expression has to have a body.
#pragma once
#define THRUST_VERSION 200500
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 5
#define THRUST_SUBMINOR_VERSION 0
#pragma push_macro("real")
#undef real
#include <complex>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "g2o_cuda.h"

#pragma clang force_cuda_host_device begin
namespace thrust {

namespace detail {
// What a body that nobody runs returns.
template <typename T> T any() { return static_cast<T (*)()>(nullptr)(); }

struct Policy {
    template <typename Stream> constexpr Policy on(const Stream &) const { return {}; }
    template <typename Allocator> constexpr Policy operator()(const Allocator &) const
    {
        return {};
    }
};
} // namespace detail
inline constexpr detail::Policy host{}, seq{}, device{};
namespace cuda {
inline constexpr detail::Policy par{}, par_nosync{};
}
namespace omp {
inline constexpr detail::Policy par{};
}
namespace system {
namespace cuda = thrust::cuda;
namespace omp = thrust::omp;
} // namespace system
using std::system_error;

template <typename T> using device_reference = T &;
template <typename T> class device_ptr {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = device_ptr;
    using reference = std::add_lvalue_reference_t<T>;

    device_ptr(T *p = nullptr);
    template <typename U, std::enable_if_t<std::is_convertible_v<U *, T *>, int> = 0>
    device_ptr(const device_ptr<U> &other);
    T *get() const;
    device_ptr base() const;
    explicit operator bool() const;
    reference operator*() const;
    T *operator->() const;
    reference operator[](std::ptrdiff_t i) const;
    device_ptr &operator+=(std::ptrdiff_t n);
    device_ptr &operator-=(std::ptrdiff_t n);
    device_ptr &operator++();
    device_ptr &operator--();
    device_ptr operator++(int);
    device_ptr operator--(int);
    friend device_ptr operator+(device_ptr p, std::ptrdiff_t n);
    friend device_ptr operator+(std::ptrdiff_t n, device_ptr p);
    friend device_ptr operator-(device_ptr p, std::ptrdiff_t n);
};
template <typename T, typename U>
std::ptrdiff_t operator-(const device_ptr<T> &a, const device_ptr<U> &b);
template <typename T, typename U> bool operator==(const device_ptr<T> &a, const device_ptr<U> &b);
template <typename T, typename U> bool operator!=(const device_ptr<T> &a, const device_ptr<U> &b);
template <typename T, typename U> bool operator<(const device_ptr<T> &a, const device_ptr<U> &b);
template <typename T, typename U> bool operator>(const device_ptr<T> &a, const device_ptr<U> &b);
template <typename T, typename U> bool operator<=(const device_ptr<T> &a, const device_ptr<U> &b);
template <typename T, typename U> bool operator>=(const device_ptr<T> &a, const device_ptr<U> &b);

// Types of results are spelled as programs may spell them: a variable of one may get that type.
template <typename T> T *raw_pointer_cast(T *p);
template <typename T> T *raw_pointer_cast(const device_ptr<T> &p);
template <typename T> T &raw_reference_cast(T &reference);
template <typename T> thrust::device_ptr<T> device_pointer_cast(T *p);
template <typename T> thrust::device_ptr<T> device_pointer_cast(device_ptr<T> p);
template <typename T> thrust::device_ptr<T> device_malloc(std::size_t count);
template <typename T> void device_free(device_ptr<T> p);

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
template <typename A, typename B> void swap(A &a, B &b);
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
    using type = typename std::iterator_traits<Iterator>::difference_type;
};
template <typename Iterator> struct iterator_value {
    using type = typename std::iterator_traits<Iterator>::value_type;
};

namespace detail {
template <typename Derived, typename Value, typename Reference> class IteratorBase {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Reference;

    Reference operator*() const { return detail::any<Reference>(); }
    Reference operator[](std::ptrdiff_t i) const { return detail::any<Reference>(); }
    Derived &operator+=(std::ptrdiff_t n) { return detail::any<Derived &>(); }
    Derived &operator-=(std::ptrdiff_t n) { return detail::any<Derived &>(); }
    Derived &operator++() { return detail::any<Derived &>(); }
    Derived &operator--() { return detail::any<Derived &>(); }
    Derived operator++(int) { return detail::any<Derived>(); }
    Derived operator--(int) { return detail::any<Derived>(); }
    friend Derived operator+(Derived a, std::ptrdiff_t n) { return detail::any<Derived>(); }
    friend Derived operator+(std::ptrdiff_t n, Derived a) { return detail::any<Derived>(); }
    friend Derived operator-(Derived a, std::ptrdiff_t n) { return detail::any<Derived>(); }
    friend std::ptrdiff_t operator-(const Derived &a, const Derived &b)
    {
        return detail::any<std::ptrdiff_t>();
    }
    friend bool operator==(const Derived &a, const Derived &b) { return detail::any<bool>(); }
    friend bool operator!=(const Derived &a, const Derived &b) { return detail::any<bool>(); }
    friend bool operator<(const Derived &a, const Derived &b) { return detail::any<bool>(); }
    friend bool operator>(const Derived &a, const Derived &b) { return detail::any<bool>(); }
    friend bool operator<=(const Derived &a, const Derived &b) { return detail::any<bool>(); }
    friend bool operator>=(const Derived &a, const Derived &b) { return detail::any<bool>(); }
};
struct Ignored {
    template <typename T> const Ignored &operator=(const T &) const { return *this; }
};
template <typename Function, typename Iterator>
using Transformed =
    std::invoke_result_t<const Function &, typename std::iterator_traits<Iterator>::reference>;
template <typename Iterator> using ReferenceOf = typename std::iterator_traits<Iterator>::reference;
template <typename Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;
} // namespace detail

template <typename T>
class counting_iterator : public detail::IteratorBase<counting_iterator<T>, T, T> {
  public:
    explicit counting_iterator(T value = T()) {}
};
template <typename T> thrust::counting_iterator<T> make_counting_iterator(T value)
{
    return detail::any<counting_iterator<T>>();
}
template <typename T>
class constant_iterator : public detail::IteratorBase<constant_iterator<T>, T, T> {
  public:
    explicit constant_iterator(T value = T(), std::ptrdiff_t at = 0) {}
};
template <typename T>
thrust::constant_iterator<T> make_constant_iterator(T value, std::ptrdiff_t at = 0)
{
    return detail::any<constant_iterator<T>>();
}
class discard_iterator
    : public detail::IteratorBase<discard_iterator, detail::Ignored, detail::Ignored> {
  public:
    explicit discard_iterator(std::ptrdiff_t at = 0) {}
};
thrust::discard_iterator make_discard_iterator();
template <typename Function, typename Iterator>
class transform_iterator
    : public detail::IteratorBase<transform_iterator<Function, Iterator>,
                                  std::decay_t<detail::Transformed<Function, Iterator>>,
                                  detail::Transformed<Function, Iterator>> {
  public:
    explicit transform_iterator(Iterator at, Function f = Function()) {}
    Iterator base() const { return detail::any<Iterator>(); }
};
template <typename Iterator, typename Function>
thrust::transform_iterator<Function, Iterator> make_transform_iterator(Iterator at, Function f)
{
    return detail::any<transform_iterator<Function, Iterator>>();
}
template <typename Elements, typename Indices>
class permutation_iterator
    : public detail::IteratorBase<permutation_iterator<Elements, Indices>,
                                  detail::ValueOf<Elements>, detail::ReferenceOf<Elements>> {
  public:
    permutation_iterator() {}
    permutation_iterator(Elements elements, Indices indices) {}
};
template <typename Elements, typename Indices>
thrust::permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements,
                                                                          Indices indices)
{
    return detail::any<permutation_iterator<Elements, Indices>>();
}
template <typename Tuple> class zip_iterator;
template <typename... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public detail::IteratorBase<zip_iterator<std::tuple<Iterators...>>,
                                  std::tuple<detail::ValueOf<Iterators>...>,
                                  std::tuple<detail::ReferenceOf<Iterators>...>> {
  public:
    zip_iterator() {}
    explicit zip_iterator(std::tuple<Iterators...> iterators) {}
    const std::tuple<Iterators...> &get_iterator_tuple() const
    {
        return detail::any<const std::tuple<Iterators...> &>();
    }
};
template <typename... Iterators>
thrust::zip_iterator<std::tuple<Iterators...>> make_zip_iterator(std::tuple<Iterators...> iterators)
{
    return detail::any<zip_iterator<std::tuple<Iterators...>>>();
}
template <typename... Iterators>
thrust::zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... iterators)
{
    return detail::any<zip_iterator<std::tuple<Iterators...>>>();
}
template <typename Function> struct zip_function {
    Function f;
    template <typename Tuple> auto operator()(Tuple &&values) const
    {
        return std::apply(f, std::forward<Tuple>(values));
    }
};
template <typename Function> thrust::zip_function<Function> make_zip_function(Function f)
{
    return detail::any<zip_function<Function>>();
}

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
template <typename T> T max(const T &a, const T &b);
template <typename T> T min(const T &a, const T &b);
template <typename T, typename Less> T max(const T &a, const T &b, Less less);
template <typename T, typename Less> T min(const T &a, const T &b, Less less);
template <typename T = void> struct maximum {
    T operator()(const T &a, const T &b) const;
};
template <> struct maximum<void> {
    template <typename A, typename B> std::common_type_t<A, B> operator()(A a, B b) const;
};
template <typename T = void> struct minimum {
    T operator()(const T &a, const T &b) const;
};
template <> struct minimum<void> {
    template <typename A, typename B> std::common_type_t<A, B> operator()(A a, B b) const;
};
template <typename T = void> struct identity {
    const T &operator()(const T &a) const;
};
template <> struct identity<void> {
    template <typename T> T operator()(const T &a) const;
};
template <typename T = void> struct square {
    T operator()(const T &a) const;
};
template <> struct square<void> {
    template <typename T> T operator()(const T &a) const;
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

namespace detail {
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

    Vector();
    explicit Vector(std::size_t count);
    Vector(std::size_t count, const T &value);
    template <typename Source, typename = typename std::iterator_traits<Source>::iterator_category>
    Vector(Source first, Source last);
    Vector(std::initializer_list<T> values);
    Vector(const Vector &other);
    Vector &operator=(const Vector &other);
    ~Vector();
    std::size_t size() const;
    std::size_t capacity() const;
    bool empty() const;
    Iterator data();
    ConstIterator data() const;
    Iterator begin();
    Iterator end();
    ConstIterator begin() const;
    ConstIterator end() const;
    ConstIterator cbegin() const;
    ConstIterator cend() const;
    reverse_iterator rbegin();
    reverse_iterator rend();
    const_reverse_iterator rbegin() const;
    const_reverse_iterator rend() const;
    T &operator[](std::size_t i);
    const T &operator[](std::size_t i) const;
    T &front();
    const T &front() const;
    T &back();
    const T &back() const;
    void reserve(std::size_t capacity);
    void resize(std::size_t count, const T &value = T());
    void shrink_to_fit();
    void clear();
    void push_back(const T &value);
    void pop_back();
    template <typename Source, typename = typename std::iterator_traits<Source>::iterator_category>
    void assign(Source first, Source last);
    void assign(std::size_t count, const T &value);
    Iterator erase(ConstIterator first, ConstIterator last);
    Iterator erase(ConstIterator at);
    template <typename Source, typename = typename std::iterator_traits<Source>::iterator_category>
    void insert(ConstIterator place, Source first, Source last);
    Iterator insert(ConstIterator place, const T &value);
    void swap(Vector &other);
};
template <typename T> using HostVector = Vector<T, T *, const T *>;
template <typename T> using DeviceVector = Vector<T, device_ptr<T>, device_ptr<const T>>;
} // namespace detail

template <typename T, typename Allocator = void> class device_vector;
template <typename T, typename Allocator = void> class host_vector : public detail::HostVector<T> {
  public:
    using detail::HostVector<T>::HostVector;
    host_vector();
    template <typename A> host_vector(const std::vector<T, A> &v);
    template <typename U, typename A> host_vector(const device_vector<U, A> &v);
};
template <typename T, typename Allocator> class device_vector : public detail::DeviceVector<T> {
  public:
    using detail::DeviceVector<T>::DeviceVector;
    device_vector();
    template <typename A> device_vector(const std::vector<T, A> &v);
    template <typename U, typename A> device_vector(const host_vector<U, A> &v);
    template <typename U, typename A> device_vector(const device_vector<U, A> &v);
};
namespace detail {
template <typename T> struct IsVector : std::false_type {};
template <typename T, typename A> struct IsVector<host_vector<T, A>> : std::true_type {};
template <typename T, typename A> struct IsVector<device_vector<T, A>> : std::true_type {};
template <typename A> struct IsAnyVector : IsVector<A> {};
template <typename T, typename A> struct IsAnyVector<std::vector<T, A>> : std::true_type {};
template <typename A, typename B>
constexpr bool are_vectors = (IsVector<A>::value || IsVector<B>::value) &&
                             IsAnyVector<A>::value && IsAnyVector<B>::value;
} // namespace detail
template <typename A, typename B>
std::enable_if_t<detail::are_vectors<A, B>, bool> operator==(const A &a, const B &b);
template <typename A, typename B>
std::enable_if_t<detail::are_vectors<A, B>, bool> operator!=(const A &a, const B &b);

// The algorithms: what they return follows from the arguments behind the policy.
namespace detail {
template <typename... A> struct Arguments {
    static constexpr std::size_t count = sizeof...(A);
    template <std::size_t N> using At = std::tuple_element_t<N, std::tuple<A...>>;
};
template <typename First, typename... A>
struct Given
    : std::conditional_t<std::is_same_v<std::decay_t<First>, Policy>, Arguments<std::decay_t<A>...>,
                         Arguments<std::decay_t<First>, std::decay_t<A>...>> {};
template <std::size_t N, typename... A> using At = typename Given<A...>::template At<N>;
template <std::size_t N, typename... A>
using FromEnd = typename Given<A...>::template At<Given<A...>::count - N>;

template <bool HasInit, typename... A> struct Reduced {
    using type = ValueOf<At<0, A...>>;
};
template <typename... A> struct Reduced<true, A...> {
    using type = At<2, A...>;
};
template <bool OfMany, typename One, typename... A> struct Searched {
    using type = One;
};
template <typename One, typename... A> struct Searched<true, One, A...> {
    using type = At<4, A...>;
};
template <typename One, typename... A>
using Found = typename Searched<Given<A...>::count == 5, One, A...>::type;
template <typename... A> using Sum = typename Reduced<(Given<A...>::count > 2), A...>::type;
} // namespace detail

#define G2O_RETURNS(name, ...)                                                                     \
    template <typename... A> __VA_ARGS__ name(A &&...) { return detail::any<__VA_ARGS__>(); }
G2O_RETURNS(adjacent_difference, detail::At<2, A...>)
G2O_RETURNS(all_of, bool)
G2O_RETURNS(any_of, bool)
G2O_RETURNS(binary_search, detail::Found<bool, A...>)
G2O_RETURNS(copy, detail::At<2, A...>)
G2O_RETURNS(copy_if, detail::FromEnd<2, A...>)
G2O_RETURNS(copy_n, detail::At<2, A...>)
G2O_RETURNS(count, std::ptrdiff_t)
G2O_RETURNS(count_if, std::ptrdiff_t)
G2O_RETURNS(equal, bool)
G2O_RETURNS(exclusive_scan, detail::At<2, A...>)
G2O_RETURNS(exclusive_scan_by_key, detail::At<3, A...>)
G2O_RETURNS(fill, void)
G2O_RETURNS(fill_n, detail::At<0, A...>)
G2O_RETURNS(find, detail::At<0, A...>)
G2O_RETURNS(find_if, detail::At<0, A...>)
G2O_RETURNS(find_if_not, detail::At<0, A...>)
G2O_RETURNS(for_each, detail::At<1, A...>)
G2O_RETURNS(for_each_n, detail::At<0, A...>)
G2O_RETURNS(gather, detail::At<3, A...>)
G2O_RETURNS(gather_if, detail::At<4, A...>)
G2O_RETURNS(generate, void)
G2O_RETURNS(generate_n, detail::At<0, A...>)
G2O_RETURNS(inclusive_scan, detail::At<2, A...>)
G2O_RETURNS(inclusive_scan_by_key, detail::At<3, A...>)
G2O_RETURNS(inner_product, detail::At<3, A...>)
G2O_RETURNS(is_partitioned, bool)
G2O_RETURNS(is_sorted, bool)
G2O_RETURNS(lower_bound, detail::Found<detail::At<0, A...>, A...>)
G2O_RETURNS(max_element, detail::At<0, A...>)
G2O_RETURNS(merge, detail::At<4, A...>)
G2O_RETURNS(merge_by_key, std::pair<detail::At<6, A...>, detail::At<7, A...>>)
G2O_RETURNS(min_element, detail::At<0, A...>)
G2O_RETURNS(minmax_element, std::pair<detail::At<0, A...>, detail::At<0, A...>>)
G2O_RETURNS(mismatch, std::pair<detail::At<0, A...>, detail::At<2, A...>>)
G2O_RETURNS(none_of, bool)
G2O_RETURNS(partition, detail::At<0, A...>)
G2O_RETURNS(partition_copy, std::pair<detail::At<2, A...>, detail::At<3, A...>>)
G2O_RETURNS(reduce, detail::Sum<A...>)
G2O_RETURNS(reduce_by_key, std::pair<detail::At<3, A...>, detail::At<4, A...>>)
G2O_RETURNS(remove, detail::At<0, A...>)
G2O_RETURNS(remove_copy, detail::At<2, A...>)
G2O_RETURNS(remove_copy_if, detail::FromEnd<2, A...>)
G2O_RETURNS(remove_if, detail::At<0, A...>)
G2O_RETURNS(replace, void)
G2O_RETURNS(replace_copy, detail::At<2, A...>)
G2O_RETURNS(replace_copy_if, detail::FromEnd<3, A...>)
G2O_RETURNS(replace_if, void)
G2O_RETURNS(reverse, void)
G2O_RETURNS(reverse_copy, detail::At<2, A...>)
G2O_RETURNS(scatter, void)
G2O_RETURNS(scatter_if, void)
G2O_RETURNS(sequence, void)
G2O_RETURNS(set_difference, detail::At<4, A...>)
G2O_RETURNS(set_intersection, detail::At<4, A...>)
G2O_RETURNS(set_union, detail::At<4, A...>)
G2O_RETURNS(shuffle, void)
G2O_RETURNS(shuffle_copy, detail::At<2, A...>)
G2O_RETURNS(sort, void)
G2O_RETURNS(sort_by_key, void)
G2O_RETURNS(stable_partition, detail::At<0, A...>)
G2O_RETURNS(stable_sort, void)
G2O_RETURNS(stable_sort_by_key, void)
G2O_RETURNS(swap_ranges, detail::At<2, A...>)
G2O_RETURNS(tabulate, void)
G2O_RETURNS(transform, detail::FromEnd<2, A...>)
G2O_RETURNS(transform_exclusive_scan, detail::At<2, A...>)
G2O_RETURNS(transform_if, detail::FromEnd<3, A...>)
G2O_RETURNS(transform_inclusive_scan, detail::At<2, A...>)
G2O_RETURNS(transform_reduce, detail::At<3, A...>)
G2O_RETURNS(uninitialized_fill, void)
G2O_RETURNS(unique, detail::At<0, A...>)
G2O_RETURNS(unique_by_key, std::pair<detail::At<0, A...>, detail::At<2, A...>>)
G2O_RETURNS(unique_by_key_copy, std::pair<detail::At<3, A...>, detail::At<4, A...>>)
G2O_RETURNS(unique_copy, detail::At<2, A...>)
G2O_RETURNS(upper_bound, detail::Found<detail::At<0, A...>, A...>)
#undef G2O_RETURNS

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

template <typename T> struct complex {
    using value_type = T;
    complex(const T &re = T(), const T &im = T());
    template <typename U> complex(const complex<U> &z);
    complex(const std::complex<T> &z);
    operator std::complex<T>() const;
    T real() const;
    T imag() const;
    void real(T re);
    void imag(T im);
    template <typename U> complex &operator+=(const U &b);
    template <typename U> complex &operator-=(const U &b);
    template <typename U> complex &operator*=(const U &b);
    template <typename U> complex &operator/=(const U &b);
};
namespace detail {
template <typename A, typename B> using Wider = decltype(A() + B());
template <typename T> using IfNumber = std::enable_if_t<std::is_arithmetic_v<T>, int>;
} // namespace detail
#define G2O_COMPLEX(symbol)                                                                        \
    template <typename A, typename B>                                                              \
    complex<detail::Wider<A, B>> operator symbol(const complex<A> &a, const complex<B> &b);        \
    template <typename A, typename B, detail::IfNumber<B> = 0>                                     \
    complex<detail::Wider<A, B>> operator symbol(const complex<A> &a, const B &b);                 \
    template <typename A, typename B, detail::IfNumber<A> = 0>                                     \
    complex<detail::Wider<A, B>> operator symbol(const A &a, const complex<B> &b);
G2O_COMPLEX(+)
G2O_COMPLEX(-)
G2O_COMPLEX(*)
G2O_COMPLEX(/)
#undef G2O_COMPLEX
template <typename T> complex<T> operator+(const complex<T> &z);
template <typename T> complex<T> operator-(const complex<T> &z);
template <typename A, typename B> bool operator==(const complex<A> &a, const complex<B> &b);
template <typename A, typename B> bool operator!=(const complex<A> &a, const complex<B> &b);
template <typename A, typename B, detail::IfNumber<B> = 0>
bool operator==(const complex<A> &a, const B &b);
template <typename Stream, typename T>
auto operator<<(Stream &stream, const complex<T> &z) -> decltype(stream << std::complex<T>());
template <typename T> T abs(const complex<T> &z);
template <typename T> T arg(const complex<T> &z);
template <typename T> T norm(const complex<T> &z);
template <typename T> complex<T> conj(const complex<T> &z);
template <typename T> complex<T> polar(const T &radius, const T &angle = T());
#define G2O_COMPLEX(name) template <typename T> complex<T> name(const complex<T> &z);
G2O_COMPLEX(acos)
G2O_COMPLEX(acosh)
G2O_COMPLEX(asin)
G2O_COMPLEX(asinh)
G2O_COMPLEX(atan)
G2O_COMPLEX(atanh)
G2O_COMPLEX(cos)
G2O_COMPLEX(cosh)
G2O_COMPLEX(exp)
G2O_COMPLEX(log)
G2O_COMPLEX(log10)
G2O_COMPLEX(proj)
G2O_COMPLEX(sin)
G2O_COMPLEX(sinh)
G2O_COMPLEX(sqrt)
G2O_COMPLEX(tan)
G2O_COMPLEX(tanh)
#undef G2O_COMPLEX
template <typename T> complex<T> pow(const complex<T> &z, const complex<T> &exponent);
template <typename T, typename U, detail::IfNumber<U> = 0>
complex<T> pow(const complex<T> &z, const U &exponent);

namespace random {
template <typename T, T Factor, T Modulus> class multiplicative_engine {
  public:
    using result_type = T;
    static constexpr T min = 1, max = Modulus - 1, default_seed = 1;
    explicit multiplicative_engine(T value = default_seed);
    void seed(T value = default_seed);
    T operator()();
    void discard(unsigned long long count);

  private:
    T state_;
};
using minstd_rand0 = multiplicative_engine<unsigned, 16807, 2147483647>;
using minstd_rand = multiplicative_engine<unsigned, 48271, 2147483647>;
using default_random_engine = minstd_rand;
template <typename Real = double> class uniform_real_distribution {
  public:
    using result_type = Real;
    explicit uniform_real_distribution(Real a = 0, Real b = 1);
    Real a() const;
    Real b() const;
    void reset();
    template <typename Engine> Real operator()(Engine &engine) const;

  private:
    Real a_, b_;
};
template <typename Integer = int> class uniform_int_distribution {
  public:
    using result_type = Integer;
    explicit uniform_int_distribution(Integer a = 0, Integer b = 0);
    Integer a() const;
    Integer b() const;
    void reset();
    template <typename Engine> Integer operator()(Engine &engine) const;

  private:
    Integer a_, b_;
};
} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

} // namespace thrust
#pragma clang force_cuda_host_device end
#pragma pop_macro("real")
