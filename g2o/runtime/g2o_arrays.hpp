// g2o_arrays.hpp: three-dimensional memory and arrays.
#ifndef G2O_ARRAYS_HPP
#define G2O_ARRAYS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <type_traits>

#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T

namespace g2o {

namespace types {

enum ChannelFormatKind {
    ChannelFormatKindSigned = 0,
    ChannelFormatKindUnsigned = 1,
    ChannelFormatKindFloat = 2,
    ChannelFormatKindNone = 3
};

constexpr unsigned ArrayDefault = 0, ArrayLayered = 1, ArraySurfaceLoadStore = 2, ArrayCubemap = 4,
                   ArrayTextureGather = 8;

// Bits of each component of an element; 0 for components that it has not.
struct ChannelFormatDesc {
    int x, y, z, w;
    ChannelFormatKind f;
};

struct Extent {
    std::size_t width, height, depth;
};

struct Pos {
    std::size_t x, y, z;
};

struct PitchedPtr {
    void *ptr;
    std::size_t pitch, xsize, ysize;
};

// Elements in rows without gaps; an extent of 0 means that the array has not that dimension.
struct ArrayStorage {
    ChannelFormatDesc desc;
    Extent extent;
    unsigned flags;
    unsigned char *data;
};

using Array = ArrayStorage *;
using ArrayConst = const ArrayStorage *;

struct Memcpy3DParms {
    Array srcArray;
    Pos srcPos;
    PitchedPtr srcPtr;
    Array dstArray;
    Pos dstPos;
    PitchedPtr dstPtr;
    Extent extent;
    MemcpyKind kind;
};

} // namespace types

// ---- three-dimensional memory -------------------------------------------------------------------

constexpr Extent make_extent(std::size_t width, std::size_t height, std::size_t depth)
{
    return {width, height, depth};
}

constexpr Pos make_pos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }

inline PitchedPtr make_pitched_ptr(void *pointer, std::size_t pitch, std::size_t xsize,
                                   std::size_t ysize)
{
    return {pointer, pitch, xsize, ysize};
}

// The width of an extent of plain memory counts bytes.
inline Error malloc_3d(PitchedPtr *memory, Extent extent)
{
    if (memory == nullptr)
        return detail::report(ErrorInvalidValue);
    *memory = {nullptr, 0, extent.width, extent.height};
    return malloc_pitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}

inline Error memset_3d(PitchedPtr memory, int value, Extent extent)
{
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char *slice = static_cast<char *>(memory.ptr) + z * memory.pitch * memory.ysize;
        const Error error = memset_2d(slice, memory.pitch, value, extent.width, extent.height);
        if (error != Success)
            return error;
    }
    return Success;
}

inline Error memset_3d_async(PitchedPtr memory, int value, Extent extent,
                             Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemset3DAsync");
    return memset_3d(memory, value, extent);
}

namespace detail {

constexpr std::size_t element_bytes(const ChannelFormatDesc &desc)
{
    return std::size_t(desc.x + desc.y + desc.z + desc.w) / CHAR_BIT;
}

constexpr std::size_t at_least_1(std::size_t n) { return n != 0 ? n : 1; }

// An array as plain memory.
inline PitchedPtr as_memory(Array array)
{
    const std::size_t row = array->extent.width * element_bytes(array->desc);
    return {array->data, row, row, at_least_1(array->extent.height)};
}

inline char *at(PitchedPtr memory, std::size_t x_bytes, std::size_t y, std::size_t z)
{
    return static_cast<char *>(memory.ptr) + (z * memory.ysize + y) * memory.pitch + x_bytes;
}

} // namespace detail

// Copies a box. Widths and positions along x count elements where an array takes part on that side,
// else bytes.
[[gnu::noinline]] inline Error memcpy_3d(const Memcpy3DParms *parameters)
{
    if (parameters == nullptr)
        return detail::report(ErrorInvalidValue);
    const Memcpy3DParms &p = *parameters;
    const std::size_t source_unit = p.srcArray ? detail::element_bytes(p.srcArray->desc) : 1;
    const std::size_t target_unit = p.dstArray ? detail::element_bytes(p.dstArray->desc) : 1;
    const PitchedPtr source = p.srcArray ? detail::as_memory(p.srcArray) : p.srcPtr;
    const PitchedPtr target = p.dstArray ? detail::as_memory(p.dstArray) : p.dstPtr;
    if (source.ptr == nullptr || target.ptr == nullptr)
        return detail::report(ErrorInvalidValue);
    const std::size_t width = p.extent.width * std::max(source_unit, target_unit);
    for (std::size_t z = 0; z < p.extent.depth; ++z) {
        const Error error = memcpy_2d(
            detail::at(target, p.dstPos.x * target_unit, p.dstPos.y, p.dstPos.z + z), target.pitch,
            detail::at(source, p.srcPos.x * source_unit, p.srcPos.y, p.srcPos.z + z), source.pitch,
            width, p.extent.height, p.kind);
        if (error != Success)
            return error;
    }
    return Success;
}

inline Error memcpy_3d_async(const Memcpy3DParms *parameters, Stream stream = nullptr)
{
    const Memcpy3DParms copy = *parameters;
    return detail::enqueue(stream, [copy] { return memcpy_3d(&copy); });
}

// ---- arrays -------------------------------------------------------------------------------------

namespace detail {

// Component type and number of components of a scalar or a vector type.
template <class T, class = void> struct vector_traits {
    using Component = T;
};

template <class T> struct vector_traits<T, std::void_t<decltype(T::x)>> {
    using Component = decltype(T::x);
};

template <class T> constexpr int components()
{
    return int(sizeof(T) / sizeof(typename vector_traits<T>::Component));
}

} // namespace detail

constexpr ChannelFormatDesc create_channel_desc(int x, int y, int z, int w, ChannelFormatKind kind)
{
    return {x, y, z, w, kind};
}

// The format of elements of type T.
template <class T> constexpr ChannelFormatDesc create_channel_desc()
{
    using Component = typename detail::vector_traits<T>::Component;
    constexpr int bits = int(CHAR_BIT * sizeof(Component));
    constexpr int n = detail::components<T>();
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            std::is_floating_point_v<Component> ? ChannelFormatKindFloat
            : std::is_signed_v<Component>       ? ChannelFormatKindSigned
                                                : ChannelFormatKindUnsigned};
}

inline Error malloc_3d_array(Array *array, const ChannelFormatDesc *desc, Extent extent,
                             unsigned flags = ArrayDefault)
{
    if (array == nullptr || desc == nullptr)
        return detail::report(ErrorInvalidValue);
    *array = nullptr;
    const std::size_t elements =
        extent.width * detail::at_least_1(extent.height) * detail::at_least_1(extent.depth);
    unsigned char *data = nullptr;
    const Error error = malloc(&data, elements * detail::element_bytes(*desc));
    if (error == Success)
        *array = new ArrayStorage{*desc, extent, flags, data};
    return error;
}

inline Error malloc_array(Array *array, const ChannelFormatDesc *desc, std::size_t width,
                          std::size_t height = 0, unsigned flags = ArrayDefault)
{
    return malloc_3d_array(array, desc, make_extent(width, height, 0), flags);
}

inline Error free_array(Array array)
{
    if (array != nullptr)
        g2o::free(array->data);
    delete array;
    return Success;
}

inline Error array_get_info(ChannelFormatDesc *desc, Extent *extent, unsigned *flags, Array array)
{
    if (array == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    if (desc != nullptr)
        *desc = array->desc;
    if (extent != nullptr)
        *extent = array->extent;
    if (flags != nullptr)
        *flags = array->flags;
    return Success;
}

// Copies rows of bytes into an array, `x_bytes` and `y` rows from its beginning.
inline Error memcpy_2d_to_array(Array target, std::size_t x_bytes, std::size_t y,
                                const void *source, std::size_t pitch, std::size_t width,
                                std::size_t height, MemcpyKind kind)
{
    if (target == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(target);
    return memcpy_2d(detail::at(memory, x_bytes, y, 0), memory.pitch, source, pitch, width, height,
                     kind);
}

inline Error memcpy_2d_to_array_async(Array target, std::size_t x_bytes, std::size_t y,
                                      const void *source, std::size_t pitch, std::size_t width,
                                      std::size_t height, MemcpyKind kind,
                                      Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpy2DToArrayAsync");
    return memcpy_2d_to_array(target, x_bytes, y, source, pitch, width, height, kind);
}

[[gnu::noinline]] inline Error memcpy_2d_from_array(void *target, std::size_t pitch,
                                                    ArrayConst source, std::size_t x_bytes,
                                                    std::size_t y, std::size_t width,
                                                    std::size_t height, MemcpyKind kind)
{
    if (source == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(const_cast<Array>(source));
    return memcpy_2d(target, pitch, detail::at(memory, x_bytes, y, 0), memory.pitch, width, height,
                     kind);
}

inline Error memcpy_2d_from_array_async(void *target, std::size_t pitch, ArrayConst source,
                                        std::size_t x_bytes, std::size_t y, std::size_t width,
                                        std::size_t height, MemcpyKind kind,
                                        Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpy2DFromArrayAsync");
    return memcpy_2d_from_array(target, pitch, source, x_bytes, y, width, height, kind);
}

// The same for bytes that follow each other.
inline Error memcpy_to_array(Array target, std::size_t x_bytes, std::size_t y, const void *source,
                             std::size_t bytes, MemcpyKind kind)
{
    if (target == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    return g2o::memcpy(detail::at(detail::as_memory(target), x_bytes, y, 0), source, bytes, kind);
}

[[gnu::noinline]] inline Error memcpy_from_array(void *target, ArrayConst source,
                                                 std::size_t x_bytes, std::size_t y,
                                                 std::size_t bytes, MemcpyKind kind)
{
    if (source == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(const_cast<Array>(source));
    return g2o::memcpy(target, detail::at(memory, x_bytes, y, 0), bytes, kind);
}

inline Error memcpy_to_array_async(Array target, std::size_t x_bytes, std::size_t y,
                                   const void *source, std::size_t bytes, MemcpyKind kind,
                                   Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpyToArrayAsync");
    return memcpy_to_array(target, x_bytes, y, source, bytes, kind);
}

inline Error memcpy_from_array_async(void *target, ArrayConst source, std::size_t x_bytes,
                                     std::size_t y, std::size_t bytes, MemcpyKind kind,
                                     Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaMemcpyFromArrayAsync");
    return memcpy_from_array(target, source, x_bytes, y, bytes, kind);
}

[[gnu::noinline]] inline Error
memcpy_2d_array_to_array(Array target, std::size_t target_x, std::size_t target_y,
                         ArrayConst source, std::size_t x_bytes, std::size_t y, std::size_t width,
                         std::size_t height, MemcpyKind kind = MemcpyDeviceToDevice)
{
    if (source == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const PitchedPtr memory = detail::as_memory(const_cast<Array>(source));
    return memcpy_2d_to_array(target, target_x, target_y, detail::at(memory, x_bytes, y, 0),
                              memory.pitch, width, height, kind);
}

} // namespace g2o

#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_ARRAYS_HPP
