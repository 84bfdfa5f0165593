// What a kernel reads and writes, as the gradient check sees it: arguments whose floating-point
// numbers can be listed one after the other, shifted, and seeded.
#ifndef G2O_CHECK_MEMORY_HPP
#define G2O_CHECK_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
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

// The memory of all arguments, in its order.
class Blocks
{
  public:
    void add(const void *begin, std::size_t size) { blocks_.push_back({address(begin), size}); }
    // Which block a pointer leads into, and where in it; -1 for none of them, -2 for null.
    std::pair<double, double> place(const void *pointer) const
    {
        if (pointer == nullptr)
            return {-2.0, 0.0};
        std::pair<double, double> found{-1.0, 0.0};
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const std::uintptr_t offset = address(pointer) - blocks_[i].first;
            if (offset < blocks_[i].second || (offset == blocks_[i].second && found.first < 0.0))
                found = {double(i), double(offset)};
        }
        return found;
    }

  private:
    static std::uintptr_t address(const void *pointer)
    {
        return reinterpret_cast<std::uintptr_t>(pointer);
    }
    std::vector<std::pair<std::uintptr_t, std::size_t>> blocks_;
};

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
    template <class F> void each(F &&of) { of(value_); }
    void add_to(Blocks &blocks) const { blocks.add(&value_, sizeof value_); }

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

// Are there pointers in it, or in what it points to?
template <class P>
inline constexpr bool is_deep = has_pointers<std::remove_cv_t<std::remove_pointer_t<P>>>;

template <class T> class Argument<T *, std::enable_if_t<!is_deep<T *>>>
{
  public:
    static constexpr bool is_pointer = true;
    using Value = typename Kept<T>::Type;

    Argument() = default;
    template <class F> Argument(std::size_t size, F &&initial)
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
    const auto &only() const
    {
        if constexpr (std::is_class_v<Value>)
            return memory_[0];
        else
            return *this;
    }
    template <class F> void each(F &&of) { std::for_each_n(memory_.get(), size_, of); }
    void add_to(Blocks &blocks) const { blocks.add(memory_.get(), size_ * sizeof(Value)); }

  private:
    std::size_t size_ = 0;
    std::unique_ptr<Value[]> memory_;
    OnDevice<Value> device_;
};

// What a pointer leads to: elements, and what the pointers among them lead to, one after the other.
struct Memory {
    std::size_t count = 0;
    std::vector<unsigned char> bytes; // not one too many: others look for what reads behind them
    std::vector<Memory> inner;

    template <class T> T *elements() { return reinterpret_cast<T *>(bytes.data()); }
    // All 0: a class may have no constructor without arguments.
    template <class T> void resize(std::size_t size)
    {
        count = size;
        bytes.assign(size * sizeof(T), 0);
        std::size_t pointers = 0;
        each_pointer_of<T>([&](auto &) { ++pointers; });
        inner.clear();
        inner.resize(pointers);
    }
    template <class T, class F> void each_pointer_of(F &&each)
    {
        if constexpr (has_pointers<T>)
            for (std::size_t i = 0; i < count; ++i)
                each_pointer(elements<T>()[i], each);
    }
    // Calls `each(pointer, behind)` for every pointer.
    template <class T, class F> void each_slot(F &&each)
    {
        std::size_t slot = 0;
        each_pointer_of<T>([&](auto &pointer) { each(pointer, inner[slot++]); });
    }
    // Lets pointers lead to the memory that is here for them.
    template <class T> void point()
    {
        each_slot<T>([](auto &pointer, Memory &behind) {
            using E = std::remove_cv_t<Target<decltype(pointer)>>;
            behind.point<E>();
            if (behind.count > 0)
                pointer = behind.elements<E>();
        });
    }
    // Calls `each` for every element, also of what pointers lead to.
    template <class T, class F> void visit(F &&each)
    {
        for (std::size_t i = 0; i < count; ++i)
            each(elements<T>()[i]);
        each_slot<T>([&](auto &pointer, Memory &behind) {
            behind.visit<std::remove_cv_t<Target<decltype(pointer)>>>(each);
        });
    }
    void add_to(Blocks &blocks) const
    {
        blocks.add(bytes.data(), bytes.size());
        for (const Memory &one : inner)
            one.add_to(blocks);
    }
};

// What has pointers in it, or points to such, with the memory that they lead to; the numbers of all
// of it are its numbers.
template <class P> class Argument<P, std::enable_if_t<is_deep<P>>>
{
    using T = std::remove_cv_t<std::remove_pointer_t<P>>;

  public:
    static constexpr bool is_pointer = std::is_pointer_v<P>;
    using Value = T;

    Argument() = default;
    explicit Argument(std::size_t count) { memory_.resize<T>(count); }
    Argument(const Argument &other) : memory_(other.memory_) { memory_.point<T>(); }
    Argument &operator=(const Argument &other)
    {
        memory_ = other.memory_;
        memory_.point<T>();
        return *this;
    }
    // `size` elements behind the pointer `member` of this structure.
    template <class Pointer, class F> void fill(Pointer &member, std::size_t size, F &&initial)
    {
        memory_.each_slot<T>([&](auto &pointer, Memory &behind) {
            if (static_cast<void *>(&pointer) != static_cast<void *>(&member))
                return;
            using E = std::remove_cv_t<Target<decltype(pointer)>>;
            if constexpr (std::is_same_v<E, std::remove_cv_t<Target<Pointer>>>) {
                behind.resize<E>(size);
                for (std::size_t i = 0; i < size; ++i)
                    behind.elements<E>()[i] = initial(i);
            }
        });
        memory_.point<T>();
    }
    // Memory behind all pointers, and behind those that `member` leads to.
    void fill_usual(long long bound, std::size_t usual);
    template <class Pointer> void fill_behind(Pointer &member, long long bound, std::size_t usual);
    P pass()
    {
        if constexpr (is_pointer)
            return memory_.elements<T>();
        else
            return only();
    }
    T *pass_shadow() { return memory_.elements<T>(); }
    void fetch() {}
    std::size_t size() const { return 1; }
    Argument &operator[](std::size_t) { return *this; }
    T &only() { return memory_.elements<T>()[0]; }
    template <class F> void each(F &&of)
    {
        std::for_each_n(memory_.elements<T>(), memory_.count, of);
    }
    template <class F> void visit(F &&each) { memory_.visit<T>(each); }
    void add_to(Blocks &blocks) const { memory_.add_to(blocks); }
    template <class F> void each_pointer_in(F &&each) { pointers_of<T>(memory_, each); }

  private:
    template <class E, class F> static void pointers_of(Memory &memory, F &&each)
    {
        memory.each_slot<E>([&](auto &pointer, Memory &behind) {
            each(static_cast<const void *>(pointer));
            pointers_of<std::remove_cv_t<Target<decltype(pointer)>>>(behind, each);
        });
    }

    Memory memory_;
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

// What nobody has to say of an element: integers next to pointers, and those of a single object, are
// `bound`, as sizes are.
template <class T> void set_usual(T &value, long long bound, bool is_single = false)
{
    each_number(value, [&](auto &number) {
        using Number = std::remove_reference_t<decltype(number)>;
        number = is_single || has_pointers<T> ? usual_number(number, bound) : usual<Number>(bound);
    });
}

// How many there are behind a pointer to what has pointers itself.
inline std::size_t usual_rows(long long bound) { return std::size_t(bound) + 4; }

template <class T> void fill(Memory &memory, std::size_t count, long long bound)
{
    memory.resize<T>(count);
    std::for_each_n(memory.elements<T>(), count, [&](T &one) { set_usual(one, bound); });
}

// Memory for one structure of a chain or a tree, which ends `depth` steps from here.
template <class T> void extend(Memory &memory, long long bound, std::size_t usual_count, int depth)
{
    fill<T>(memory, 1, bound);
    memory.each_slot<T>([&](auto &pointer, Memory &behind) {
        using E = std::remove_cv_t<Target<decltype(pointer)>>;
        if constexpr (!has_pointers<E>)
            fill<E>(behind, usual_count, bound);
        else if (depth > 0)
            extend<E>(behind, bound, usual_count, depth - 1);
    });
}

// Memory for the pointers of elements that lead nowhere; `Above` are the types around.
template <class T, class... Above>
void fill_usual(Memory &memory, long long bound, std::size_t usual_count)
{
    constexpr bool is_row_of_rows = std::is_pointer_v<T> && (std::is_pointer_v<Above> || ...);
    memory.each_slot<T>([&](auto &pointer, Memory &behind) {
        using E = std::remove_cv_t<Target<decltype(pointer)>>;
        if (pointer != nullptr || behind.count > 0)
            return;
        if constexpr (std::is_same_v<E, T> || (std::is_same_v<E, Above> || ...)) {
            extend<E>(behind, bound, usual_count, 3);
        } else {
            constexpr bool is_rows = has_pointers<E> || is_row_of_rows;
            fill<E>(behind, is_rows ? usual_rows(bound) : usual_count, bound);
            fill_usual<E, T, Above...>(behind, bound, usual_count);
        }
    });
}

template <class P>
void Argument<P, std::enable_if_t<is_deep<P>>>::fill_usual(long long bound, std::size_t usual)
{
    g2o_check::fill_usual<T>(memory_, bound, usual);
    memory_.point<T>();
}

template <class P>
template <class Pointer>
void Argument<P, std::enable_if_t<is_deep<P>>>::fill_behind(Pointer &member, long long bound,
                                                            std::size_t usual)
{
    memory_.each_slot<T>([&](auto &pointer, Memory &behind) {
        if (static_cast<void *>(&pointer) == static_cast<void *>(&member))
            g2o_check::fill_usual<std::remove_cv_t<Target<decltype(pointer)>>, T>(behind, bound,
                                                                                 usual);
    });
    memory_.point<T>();
}

// An argument of which the launch says nothing: `bound` for an integer, `usual_count` elements for
// a pointer where nobody knows how many it leads to, and `count` where that is known.
template <class A>
A usual_argument(long long bound, std::size_t usual_count, std::size_t count = 0)
{
    using Value = typename A::Value;
    if constexpr (has_pointers<Value>) {
        const std::size_t many = A::is_pointer ? usual_rows(bound) : 1;
        A made(count > 0 ? count : many);
        made.each([&](Value &one) { set_usual(one, bound); });
        made.fill_usual(bound, usual_count);
        return made;
    } else {
        const auto initial = [&](std::size_t) {
            Value value{};
            set_usual(value, bound, count == 1 || (!A::is_pointer && !std::is_class_v<Value>));
            return value;
        };
        if constexpr (A::is_pointer)
            return A(count > 0 ? count : usual_count, initial);
        else
            return A(initial(0));
    }
}

// An argument with as many elements as the launch says.
template <class A, class F>
A given_argument(std::size_t count, [[maybe_unused]] F &&initial,
                 [[maybe_unused]] long long bound, [[maybe_unused]] std::size_t usual_count)
{
    if constexpr (has_pointers<typename A::Value>)
        return usual_argument<A>(bound, usual_count, count);
    else
        return A(count, initial);
}

// Why something cannot be made; "" where all could.
inline std::string &unmade()
{
    static std::string reason;
    return reason;
}

// A variable of a C file, of which `first` gives the values that the program begins with: integers
// stay as these are, real numbers lie near them, where they are not all 0.
template <class A>
A usual_variable(const char *name, long long bound, std::size_t usual_count, std::size_t count,
                 void (*first)(void *))
{
    using T = typename A::Value;
    A made = usual_argument<A>(bound, usual_count, count);
    Memory begun;
    begun.resize<T>(count);
    first(begun.bytes.data());
    begun.each_pointer_of<T>([&](auto &pointer) {
        if (pointer != nullptr)
            unmade() = std::string("'") + name + "' of the file leads to other memory of it";
    });
    std::vector<double> numbers;
    bool has_integers = false;
    for (std::size_t i = 0; i < count; ++i)
        each_number(begun.elements<T>()[i], [&](auto &number) {
            using Number = std::remove_reference_t<decltype(number)>;
            has_integers |= std::is_integral_v<Number> && number != Number();
            numbers.push_back(double(number));
        });
    auto next = numbers.begin();
    made.each([&](T &element) {
        each_number(element, [&](auto &number) {
            using Number = std::remove_reference_t<decltype(number)>;
            const double was = *next++;
            if (std::is_integral_v<Number> ? has_integers : was != 0.0)
                number = Number(std::is_integral_v<Number> ? was : was * uniform(0.9, 1.1));
        });
    });
    return made;
}

} // namespace g2o_check

#endif // G2O_CHECK_MEMORY_HPP
