// What a kernel reads and writes, as the gradient check sees it: arguments whose floating-point
// numbers can be listed one after the other, shifted, and seeded.
#ifndef G2O_CHECK_MEMORY_HPP
#define G2O_CHECK_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace g2o_check
{

// The members of a record, written by the driver for every record that a kernel takes:
//     template <class V, class F> static void visit(V &value, F &&each) { each(value.x); ... }
//     static constexpr bool is_active = any<decltype(T::x), ...>;
template <class T> struct Members {
    static constexpr bool is_active = false, has_pointers = false, leads = false;
    template <class V, class F> static void visit(V &, F &&) {}
};

template <class T> struct WithoutRestrict {
    using Type = T;
};
template <class T> struct WithoutRestrict<T *__restrict__> {
    using Type = T *;
};
template <class T>
using Core = typename WithoutRestrict<std::remove_cv_t<std::remove_all_extents_t<T>>>::Type;
template <class Pointer> using Target = std::remove_reference_t<decltype(*std::declval<Pointer>())>;
template <class T>
inline constexpr bool is_active = std::is_floating_point_v<Core<T>> || Members<Core<T>>::is_active;
template <class... T> inline constexpr bool any = (is_active<T> || ...);

// Structures with pointers: to anything, and to numbers that can be active.
//     static constexpr bool has_pointers = any_pointer<decltype(T::x), ...>;
//     static constexpr bool leads = any_leads<decltype(T::x), ...>;
template <class T, class = void> inline constexpr bool has_pointers = std::is_pointer_v<T>;
template <class T>
inline constexpr bool has_pointers<T, std::enable_if_t<Members<T>::has_pointers>> = true;
template <class T, class = void>
inline constexpr bool leads = std::is_pointer_v<T> && is_active<std::remove_pointer_t<T>>;
template <class T> inline constexpr bool leads<T, std::enable_if_t<Members<T>::leads>> = true;
template <class... T> inline constexpr bool any_pointer = (has_pointers<Core<T>> || ...);
template <class... T> inline constexpr bool any_leads = (leads<Core<T>> || ...);

#define G2O_CHECK_VECTOR(TYPE, SCALAR, ...)                                                        \
    template <> struct Members<TYPE> {                                                             \
        static constexpr bool is_active = std::is_floating_point_v<SCALAR>;                        \
        static constexpr bool has_pointers = false, leads = false;                                 \
        template <class V, class F> static void visit(V &value, F &&each)                          \
        {                                                                                          \
            for (auto member : {__VA_ARGS__})                                                      \
                each(value.*member);                                                               \
        }                                                                                          \
    };
#define G2O_CHECK_VECTORS(NAME, SCALAR)                                                            \
    G2O_CHECK_VECTOR(NAME##1, SCALAR, &V::x)                                                       \
    G2O_CHECK_VECTOR(NAME##2, SCALAR, &V::x, &V::y)                                                \
    G2O_CHECK_VECTOR(NAME##3, SCALAR, &V::x, &V::y, &V::z)                                         \
    G2O_CHECK_VECTOR(NAME##4, SCALAR, &V::x, &V::y, &V::z, &V::w)
G2O_CHECK_VECTORS(float, float)
G2O_CHECK_VECTORS(double, double)
G2O_CHECK_VECTORS(int, int)
G2O_CHECK_VECTORS(uint, unsigned)

// Calls `each` for every number in `value`, integers included, in the order of memory.
template <class T, class F> void each_number(T &value, F &&each)
{
    if constexpr (std::is_arithmetic_v<T>)
        each(value);
    else if constexpr (std::is_array_v<T>)
        for (auto &element : value)
            each_number(element, each);
    else
        Members<T>::visit(value, [&](auto &member) { each_number(member, each); });
}

// ... for every pointer.
template <class T, class F> void each_pointer(T &value, F &&each)
{
    if constexpr (std::is_array_v<T>)
        for (auto &element : value)
            each_pointer(element, each);
    else if constexpr (std::is_pointer_v<Core<T>>)
        each(value);
    else if constexpr (!std::is_arithmetic_v<T>)
        Members<T>::visit(value, [&](auto &member) { each_pointer(member, each); });
}

// ... for every floating-point number.
template <class T, class F> void each_scalar(T &value, F &&each)
{
    each_number(value, [&](auto &number) {
        if constexpr (std::is_floating_point_v<std::remove_reference_t<decltype(number)>>)
            each(number);
    });
}

#ifdef G2O_OFFLOAD
// What kernels are given in place of memory of the host: as many elements of the device's.
template <class T> class OnDevice
{
  public:
    OnDevice() = default;
    OnDevice(const OnDevice &) {} // every owner of memory has a copy of its own
    OnDevice &operator=(const OnDevice &) { return *this; }
    ~OnDevice() { static_cast<void>(g2o::free(memory_)); }

    T *upload(const T *from, std::size_t count)
    {
        if (count == 0)
            return nullptr;
        if (memory_ == nullptr && g2o::malloc(&memory_, count * sizeof(T)) != g2o::Success)
            std::abort();
        static_cast<void>(g2o::memcpy(memory_, from, count * sizeof(T), g2o::MemcpyHostToDevice));
        return memory_;
    }
    void download(T *to, std::size_t count) const
    {
        if (memory_ != nullptr)
            static_cast<void>(g2o::memcpy(to, memory_, count * sizeof(T), g2o::MemcpyDeviceToHost));
    }

  private:
    T *memory_ = nullptr;
};
#else
template <class T> class OnDevice
{
  public:
    T *upload(T *memory, std::size_t) { return memory; }
    void download(T *, std::size_t) const {}
};
#endif

// One argument of type P with the memory that it points to. `pass` is what the kernel is given, and
// `fetch` makes seen here what it did; a shadow is such an argument, too, whose numbers are
// derivatives.
template <class P, class = void> class Argument
{
  public:
    static constexpr bool is_pointer = false;
    using Value = P;

    Argument() : value_{} {}
    explicit Argument(P value) : value_(value) {}
    P pass() { return value_; }
    P *pass_shadow() { return device_.upload(&value_, 1); }
    void fetch() { device_.download(&value_, 1); }
    std::size_t size() const { return 1; }
    P &operator[](std::size_t) { return value_; }
    P &only() { return value_; }
    const P &only() const { return value_; }

  private:
    P value_;
    OnDevice<P> device_;
};

// What is kept of an element: of a row, which functions cannot return, an object with it.
template <class T> struct Row
{
    T row;
};
template <class T> struct Kept
{
    using Type = std::remove_cv_t<T>;
};
template <class T, std::size_t N> struct Kept<T[N]>
{
    using Type = Row<std::remove_cv_t<T[N]>>;
};
template <class T> struct Members<Row<T>>
{
    static constexpr bool is_active = false, has_pointers = false, leads = false;
    template <class V, class F> static void visit(V &value, F &&each) { each(value.row); }
};

template <class T> class Argument<T *>
{
  public:
    static constexpr bool is_pointer = true;
    using Value = typename Kept<T>::Type;

    Argument() = default;
    Argument(std::size_t size, const std::function<Value(std::size_t)> &initial)
        : size_(size), memory_(new Value[size]())
    {
        for (std::size_t i = 0; i < size; ++i)
            memory_[i] = initial(i);
    }
    Argument(const Argument &other) : size_(other.size_)
    {
        if (other.memory_)
            memory_.reset(new Value[size_]);
        for (std::size_t i = 0; i < size_; ++i)
            memory_[i] = other.memory_[i];
    }
    Argument &operator=(const Argument &other)
    {
        for (std::size_t i = 0; i < size_; ++i)
            memory_[i] = other.memory_[i];
        return *this;
    }
    T *pass() { return pass_shadow(); }
    std::remove_cv_t<T> *pass_shadow()
    {
        return reinterpret_cast<std::remove_cv_t<T> *>(device_.upload(memory_.get(), size_));
    }
    void fetch() { device_.download(memory_.get(), size_); }
    std::size_t size() const { return size_; }
    Value &operator[](std::size_t i) { return memory_[i]; }
    const Argument &only() const { return *this; }

  private:
    std::size_t size_ = 0;
    std::unique_ptr<Value[]> memory_;
    OnDevice<Value> device_;
};

// A structure with the memory that its pointers lead to; the numbers of both are its numbers.
template <class P> class Argument<P, std::enable_if_t<!std::is_pointer_v<P> && has_pointers<P>>>
{
  public:
    static constexpr bool is_pointer = false;
    using Value = P;

    Argument() : size_(), memory_() {}
    Argument(const Argument &other) : held_(other.held_), size_(other.size_), memory_(other.memory_)
    {
        point();
    }
    Argument &operator=(const Argument &other)
    {
        held_ = other.held_, size_ = other.size_, memory_ = other.memory_;
        point();
        return *this;
    }
    // `size` elements behind the pointer `member` of this structure.
    template <class Pointer, class F> void fill(Pointer &member, std::size_t size, F &&initial)
    {
        using T = std::remove_cv_t<Target<Pointer>>;
        std::size_t slot = 0, index = 0;
        each_pointer(held_.value, [&](auto &one) {
            if (static_cast<void *>(&one) == static_cast<void *>(&member))
                slot = index;
            ++index;
        });
        size_.resize(index), memory_.resize(index);
        size_[slot] = size;
        memory_[slot].assign((size * sizeof(T)) / sizeof(Unit) + 1, Unit());
        auto *elements = reinterpret_cast<T *>(memory_[slot].data());
        for (std::size_t i = 0; i < size; ++i)
            elements[i] = initial(i);
        point();
    }
    P pass() { return held_.value; }
    P *pass_shadow() { return &held_.value; }
    void fetch() {}
    std::size_t size() const { return 1; }
    Argument &operator[](std::size_t) { return *this; }
    P &only() { return held_.value; }
    const P &only() const { return held_.value; }
    template <class F> void visit(F &&each)
    {
        each(held_.value);
        std::size_t slot = 0;
        each_pointer(held_.value, [&](auto &pointer) {
            auto *elements = const_cast<std::remove_cv_t<Target<decltype(pointer)>> *>(pointer);
            for (std::size_t i = 0; slot < size_.size() && i < size_[slot]; ++i)
                each(elements[i]);
            ++slot;
        });
    }

  private:
    using Unit = std::max_align_t;
    union Held { // a class may have no constructor without arguments
        Held() { std::memset(static_cast<void *>(this), 0, sizeof *this); }
        Held(const Held &other) { *this = other; }
        Held &operator=(const Held &other)
        {
            std::memcpy(static_cast<void *>(this), &other, sizeof *this);
            return *this;
        }
        P value;
    };
    void point()
    {
        std::size_t slot = 0;
        each_pointer(held_.value, [&](auto &pointer) {
            if (slot < memory_.size())
                pointer = reinterpret_cast<Target<decltype(pointer)> *>(memory_[slot].data());
            ++slot;
        });
    }

    Held held_;
    std::vector<std::size_t> size_;
    std::vector<std::vector<Unit>> memory_;
};
template <class P> struct Members<Argument<P>>
{
    static constexpr bool is_active = false, has_pointers = false, leads = false;
    template <class V, class F> static void visit(V &value, F &&each) { value.visit(each); }
};

template <> class Argument<void *> : public Argument<char *>
{
  public:
    using Argument<char *>::Argument;
    void *pass() { return Argument<char *>::pass(); }
};
template <> class Argument<const void *> : public Argument<void *>
{
  public:
    using Argument<void *>::Argument;
};

// ---- functions of C ------------------------------------------------------------------------------

// Addresses of values, and pointers themselves.
template <class T> void *handed(T &value)
{
    if constexpr (std::is_pointer_v<T>)
        return const_cast<void *>(static_cast<const void *>(value));
    else
        return &value;
}

template <class... A> void call_c(void (*function)(void **), A... arguments)
{
    void *all[] = {handed(arguments)..., nullptr};
    function(all);
}

// ---- initial values that launches are written with ----------------------------------------------

inline std::mt19937_64 &generator()
{
    static std::mt19937_64 engine;
    return engine;
}

inline double uniform(double low, double high)
{
    return low + (high - low) * std::generate_canonical<double, 53>(generator());
}

inline long long uniform_integer(long long low, long long high)
{
    return low + static_cast<long long>(generator()() % std::uint64_t(high - low + 1));
}

// A value of type T between the bounds; whole where T is an integer. Every number of a record or a
// vector is such a value.
template <class T, class L, class H> T between(L low, H high)
{
    T value{};
    each_number(value, [&](auto &number) {
        using Number = std::remove_reference_t<decltype(number)>;
        if constexpr (std::is_floating_point_v<Number>)
            number = static_cast<Number>(uniform(double(low), double(high)));
        else
            number = static_cast<Number>(uniform_integer((long long)(low), (long long)(high)));
    });
    return value;
}

// What an argument is where the launch does not say: numbers in [0.5, 1.5], at which roots,
// logarithms and quotients are smooth, and integers in [0, bound).
template <class T> T usual(long long bound)
{
    T value{};
    each_number(value, [&](auto &number) {
        using Number = std::remove_reference_t<decltype(number)>;
        if constexpr (std::is_floating_point_v<Number>)
            number = static_cast<Number>(uniform(0.5, 1.5));
        else
            number = static_cast<Number>(uniform_integer(0, bound > 1 ? bound - 1 : 0));
    });
    return value;
}

template <class T> T usual_number(T, long long bound)
{
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return static_cast<T>(bound);
    else
        return usual<T>(bound);
}

// An argument of which the launch says nothing: `bound` for an integer, `count` elements for a
// pointer.
template <class A> A usual_argument(long long bound, std::size_t count)
{
    using Value = typename A::Value;
    if constexpr (has_pointers<Value> && !A::is_pointer) {
        A made;
        each_number(made.only(), [&](auto &number) { number = usual_number(number, bound); });
        each_pointer(made.only(), [&](auto &pointer) {
            using T = std::remove_cv_t<Target<decltype(pointer)>>;
            made.fill(pointer, count, [&](std::size_t) { return usual<T>(bound); });
        });
        return made;
    } else if constexpr (A::is_pointer)
        return A(count, [&](std::size_t) { return usual<Value>(bound); });
    else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
        return A(static_cast<Value>(bound));
    else
        return A(usual<Value>(bound));
}

} // namespace g2o_check

#endif // G2O_CHECK_MEMORY_HPP
