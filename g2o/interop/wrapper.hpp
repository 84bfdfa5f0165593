#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace g2o::types {
struct half;
struct nv_bfloat16;
} // namespace g2o::types

// How Python calls a kernel: with one block of bytes, in which the sizes of the launch and those of
// shared memory stand in front of the arguments, each at a multiple of eight bytes.
namespace g2o_raw_kernel {

template <typename T, typename = void> constexpr bool is_complex = false;
template <typename T>
constexpr bool is_complex<
    T, std::enable_if_t<std::is_floating_point_v<decltype(std::declval<const T &>().imag())>>> =
    sizeof(T) == 2 * sizeof(std::declval<const T &>().imag());

// What a parameter is: p pointer, i signed, u unsigned, f floating, h bfloat16, b boolean, c complex,
// s anything else.
template <typename T> constexpr char kind()
{
    return std::is_pointer_v<T> ? 'p'
           : std::is_same_v<T, bool> ? 'b'
           : std::is_floating_point_v<T> || std::is_same_v<T, g2o::types::half> ? 'f'
           : std::is_same_v<T, g2o::types::nv_bfloat16> ? 'h'
           : std::is_enum_v<T> ? 'i'
           : std::is_integral_v<T> ? (std::is_signed_v<T> ? 'i' : 'u')
           : is_complex<T> ? 'c'
                           : 's';
}

// The numbers in a vector type or a complex number: float for float4. Itself for all others.
template <typename T, typename = void> struct Component {
    using Type = T;
};
template <typename T>
struct Component<T, std::enable_if_t<kind<decltype(T::x)>() != 'p' &&
                                     kind<decltype(T::x)>() != 's' &&
                                     sizeof(T) % sizeof(T::x) == 0 && sizeof(T) <= 32>> {
    using Type = decltype(T::x);
};
template <typename T> struct Component<T, std::enable_if_t<is_complex<T>>> {
    using Type = decltype(std::declval<const T &>().imag());
};

struct Type {
    char kind;
    char element;   // of a pointer; v where that is void or a function
    char component; // of the element, where that is a vector
    char is_const;  // what a pointer leads to
    std::size_t size;
    std::size_t element_size;
    std::size_t component_size;
    std::size_t alignment; // of the element
};

template <typename T> constexpr Type type()
{
    using Value = std::remove_cv_t<std::remove_reference_t<T>>;
    using Pointee = std::remove_pointer_t<Value>;
    using Element = std::remove_cv_t<Pointee>;
    if constexpr (std::is_void_v<Element> || std::is_function_v<Element>) {
        return {kind<Value>(), 'v', 'v', std::is_const_v<Pointee>, sizeof(Value), 0, 0, 1};
    } else {
        using Number = typename Component<Element>::Type;
        return {kind<Value>(), kind<Element>(), kind<Number>(), std::is_const_v<Pointee>,
                sizeof(Value), sizeof(Element), sizeof(Number), alignof(Element)};
    }
}

constexpr std::size_t rounded(std::size_t size) { return (size + 7) / 8 * 8; }

template <typename T> T loaded(const char *from)
{
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    return *std::launder(reinterpret_cast<T *>(bytes));
}

struct Launch {
    unsigned sizes[6];
    std::size_t shared;

    dim3 grid() const { return dim3(sizes[0], sizes[1], sizes[2]); }
    dim3 block() const { return dim3(sizes[3], sizes[4], sizes[5]); }
};

template <bool TAKES_SHARED, typename F, std::size_t... I, typename... P>
void call(F *kernel, const char *frame, std::index_sequence<I...>, void (*)(P...))
{
    std::size_t offsets[sizeof...(P) + 1] = {sizeof(Launch)};
    const std::size_t sizes[] = {rounded(sizeof(std::remove_reference_t<P>))..., 0};
    for (std::size_t i = 0; i < sizeof...(P); ++i)
        offsets[i + 1] = offsets[i] + sizes[i];
    const Launch launch = loaded<Launch>(frame);
    if constexpr (TAKES_SHARED)
        kernel(launch.grid(), launch.block(), launch.shared,
               loaded<std::remove_cv_t<std::remove_reference_t<P>>>(frame + offsets[I])...);
    else
        kernel(launch.grid(), launch.block(),
               loaded<std::remove_cv_t<std::remove_reference_t<P>>>(frame + offsets[I])...);
}

// What stands behind the launch in the parameters of a kernel.
template <bool TAKES_SHARED, typename F> struct Parameters;
template <typename... P> struct Parameters<false, void(dim3, dim3, P...)> {
    using Function = void(P...);
    static constexpr std::size_t COUNT = sizeof...(P);
    static constexpr Type TYPES[] = {type<P>()..., Type()};
};
template <typename... P>
struct Parameters<true, void(dim3, dim3, std::size_t, P...)>
    : Parameters<false, void(dim3, dim3, P...)> {};

template <bool TAKES_SHARED, typename F>
int launched(F *kernel, const char *frame, char *message, std::size_t size) noexcept
{
    using Taken = Parameters<TAKES_SHARED, F>;
    try {
        call<TAKES_SHARED>(kernel, frame, std::make_index_sequence<Taken::COUNT>(),
                           static_cast<typename Taken::Function *>(nullptr));
    } catch (const std::bad_alloc &) {
        return 1;
    } catch (const std::exception &fault) {
        std::strncpy(message, fault.what(), size - 1);
        return 2;
    }
    return 0;
}

template <bool TAKES_SHARED, typename F> std::size_t described(F *, Type *types)
{
    using Taken = Parameters<TAKES_SHARED, F>;
    for (std::size_t i = 0; types != nullptr && i < Taken::COUNT; ++i)
        types[i] = Taken::TYPES[i];
    return Taken::COUNT;
}

// A variable of the device: its numbers, the extents of an array, and where it lies.
struct Variable {
    Type type;
    std::size_t extents[4];
    void *address;
};

template <typename T> Variable variable(T &object)
{
    using Element = std::remove_all_extents_t<T>;
    static_assert(std::rank_v<T> <= 4, "a variable with more than four axes");
    return {type<Element *>(),
            {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>, std::extent_v<T, 3>},
            const_cast<void *>(static_cast<const volatile void *>(&object))};
}

} // namespace g2o_raw_kernel
