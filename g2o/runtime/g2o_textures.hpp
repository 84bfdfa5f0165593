// g2o_textures.hpp: textures and surfaces.
#ifndef G2O_TEXTURES_HPP
#define G2O_TEXTURES_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "g2o_arrays.hpp"
#include "g2o_half.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T

namespace g2o {

namespace types {

enum ResourceType {
    ResourceTypeArray = 0,
    ResourceTypeMipmappedArray = 1,
    ResourceTypeLinear = 2,
    ResourceTypePitch2D = 3
};

enum TextureAddressMode {
    AddressModeWrap = 0,
    AddressModeClamp = 1,
    AddressModeMirror = 2,
    AddressModeBorder = 3
};

enum TextureFilterMode { FilterModePoint = 0, FilterModeLinear = 1 };

enum TextureReadMode { ReadModeElementType = 0, ReadModeNormalizedFloat = 1 };

// What an access outside of a surface does; a trap ends the program.
enum SurfaceBoundaryMode { BoundaryModeZero = 0, BoundaryModeClamp = 1, BoundaryModeTrap = 2 };

constexpr int TextureType1D = 1, TextureType2D = 2, TextureType3D = 3;

struct ResourceDesc {
    ResourceType resType;
    union {
        struct {
            Array array;
        } array;
        struct {
            void *devPtr;
            ChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            ChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct TextureDesc {
    TextureAddressMode addressMode[3];
    TextureFilterMode filterMode;
    TextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    TextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

using TextureObject = unsigned long long;
using SurfaceObject = unsigned long long;

} // namespace types

// ---- textures -----------------------------------------------------------------------------------

namespace detail {

// The elements that a texture reads.
struct Image {
    const unsigned char *data;
    ChannelFormatDesc desc;
    std::size_t pitch; // bytes from row to row
    int width, height, depth;
};

struct Texture {
    Image image;
    ResourceDesc resource;
    TextureDesc sampling;
};

inline const Texture &texture(TextureObject object)
{
    return *reinterpret_cast<const Texture *>(object);
}

inline Image image_of(const ResourceDesc &resource)
{
    switch (resource.resType) {
    case ResourceTypeArray: {
        const ArrayStorage &a = *resource.res.array.array;
        return {a.data,
                a.desc,
                a.extent.width * element_bytes(a.desc),
                int(a.extent.width),
                int(at_least_1(a.extent.height)),
                int(at_least_1(a.extent.depth))};
    }
    case ResourceTypeLinear: {
        const auto &l = resource.res.linear;
        const std::size_t width = l.sizeInBytes / at_least_1(element_bytes(l.desc));
        return {
            static_cast<const unsigned char *>(l.devPtr), l.desc, l.sizeInBytes, int(width), 1, 1};
    }
    case ResourceTypePitch2D: {
        const auto &p = resource.res.pitch2D;
        return {static_cast<const unsigned char *>(p.devPtr),
                p.desc,
                p.pitchInBytes,
                int(p.width),
                int(p.height),
                1};
    }
    case ResourceTypeMipmappedArray: break;
    }
    return {};
}

// An element as four numbers.
struct Texel {
    float c[4];
};

inline float half_bits_to_float(std::uint16_t bits);

// Component `i` of an element as a number; normalised, it is scaled to [0, 1] or [-1, 1].
inline float component(const unsigned char *element, const ChannelFormatDesc &desc, int i,
                       bool normalised)
{
    const auto read = [=](auto value) {
        std::memcpy(&value, element + std::size_t(i) * sizeof value, sizeof value);
        if (!normalised)
            return float(value);
        return std::max(float(value) / float(std::numeric_limits<decltype(value)>::max()), -1.0f);
    };
    const bool is_signed = desc.f == ChannelFormatKindSigned;
    if (desc.f == ChannelFormatKindFloat && desc.x == 32) {
        float value;
        std::memcpy(&value, element + 4 * i, sizeof value);
        return value;
    }
    if (desc.f == ChannelFormatKindFloat) {
        std::uint16_t bits;
        std::memcpy(&bits, element + 2 * i, sizeof bits);
        return half_bits_to_float(bits);
    }
    switch (desc.x) {
    case 8: return is_signed ? read(std::int8_t()) : read(std::uint8_t());
    case 16: return is_signed ? read(std::int16_t()) : read(std::uint16_t());
    default: return is_signed ? read(std::int32_t()) : read(std::uint32_t());
    }
}

inline const unsigned char *element(const Image &image, int x, int y, int z)
{
    const std::size_t row = std::size_t(z) * std::size_t(image.height) + std::size_t(y);
    return image.data + row * image.pitch + std::size_t(x) * element_bytes(image.desc);
}

// The index along an axis of n elements that an index outside of it stands for; -1 for the border.
inline int addressed(int i, int n, TextureAddressMode mode, bool normalised)
{
    if (i >= 0 && i < n)
        return i;
    if (mode == AddressModeBorder)
        return -1;
    if (mode == AddressModeClamp || !normalised) // the other modes need normalised coordinates
        return i < 0 ? 0 : n - 1;
    const int period = mode == AddressModeWrap ? n : 2 * n;
    const int wrapped = (i % period + period) % period;
    return wrapped < n ? wrapped : period - 1 - wrapped;
}

// A texel as T. What T has beyond the format's components is 0.
template <class T> T from_texel(const Texel &texel)
{
    using Traits = vector_traits<T>;
    using Component = typename Traits::Component;
    Component parts[components<T>()];
    for (int i = 0; i < components<T>(); ++i)
        parts[i] = Component(texel.c[i]);
    T result;
    std::memcpy(&result, parts, sizeof result);
    return result;
}

inline Texel read_texel(const Image &image, const TextureDesc &sampling, int x, int y, int z)
{
    const bool normalised = sampling.normalizedCoords != 0;
    x = addressed(x, image.width, sampling.addressMode[0], normalised);
    y = addressed(y, image.height, sampling.addressMode[1], normalised);
    z = addressed(z, image.depth, sampling.addressMode[2], normalised);
    Texel texel = {};
    const int bits[4] = {image.desc.x, image.desc.y, image.desc.z, image.desc.w};
    for (int i = 0; i < 4 && bits[i] != 0; ++i) {
        texel.c[i] = x < 0 || y < 0 || z < 0
                         ? sampling.borderColor[i]
                         : component(element(image, x, y, z), image.desc, i,
                                     sampling.readMode == ReadModeNormalizedFloat);
    }
    return texel;
}

// Whether an element can be copied into a T as it is.
template <class T> bool is_stored_as(const Image &image, const TextureDesc &sampling)
{
    return sampling.readMode == ReadModeElementType && element_bytes(image.desc) == sizeof(T);
}

// The element that a point lies in.
template <class T>
T fetch_point(const Image &image, const TextureDesc &sampling, float x, float y, float z)
{
    const int i = int(floorf(x)), j = int(floorf(y)), k = int(floorf(z));
    if (!is_stored_as<T>(image, sampling))
        return from_texel<T>(read_texel(image, sampling, i, j, k));
    const bool normalised = sampling.normalizedCoords != 0;
    const int column = addressed(i, image.width, sampling.addressMode[0], normalised);
    const int row = addressed(j, image.height, sampling.addressMode[1], normalised);
    const int slice = addressed(k, image.depth, sampling.addressMode[2], normalised);
    if (column < 0 || row < 0 || slice < 0)
        return from_texel<T>(read_texel(image, sampling, i, j, k));
    T result;
    std::memcpy(&result, element(image, column, row, slice), sizeof result);
    return result;
}

// Interpolates between the centres of the elements around a point, in `dimensions` directions. (The
// hardware of GPUs rounds the weights to 8 bits; here they have the precision of float.)
template <class T>
T fetch_linear(const Image &image, const TextureDesc &sampling, int dimensions, float x, float y,
               float z)
{
    const float position[3] = {x - 0.5f, dimensions > 1 ? y - 0.5f : y,
                               dimensions > 2 ? z - 0.5f : z};
    int base[3];
    float fraction[3];
    for (int axis = 0; axis < 3; ++axis) {
        base[axis] = int(floorf(position[axis]));
        fraction[axis] = axis < dimensions ? position[axis] - float(base[axis]) : 0.0f;
    }
    Texel sum = {};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
        int index[3];
        float weight = 1.0f;
        for (int axis = 0; axis < 3; ++axis) {
            const int upper = corner >> axis & 1;
            index[axis] = base[axis] + upper;
            weight *= upper ? fraction[axis] : 1.0f - fraction[axis];
        }
        const Texel texel = read_texel(image, sampling, index[0], index[1], index[2]);
        for (int i = 0; i < 4; ++i)
            sum.c[i] += weight * texel.c[i];
    }
    return from_texel<T>(sum);
}

template <class T>
T fetch(const Image &image, const TextureDesc &sampling, int dimensions, float x, float y, float z)
{
    if (sampling.normalizedCoords != 0) {
        x *= float(image.width);
        y *= dimensions > 1 ? float(image.height) : 1.0f;
        z *= dimensions > 2 ? float(image.depth) : 1.0f;
    }
    return sampling.filterMode == FilterModePoint
               ? fetch_point<T>(image, sampling, x, y, z)
               : fetch_linear<T>(image, sampling, dimensions, x, y, z);
}

// An element of linear memory by its index; 0 outside.
template <class T> T fetch_index(const Image &image, const TextureDesc &sampling, int i)
{
    if (i < 0 || i >= image.width)
        return T{};
    if (!is_stored_as<T>(image, sampling))
        return from_texel<T>(read_texel(image, sampling, i, 0, 0));
    T result;
    std::memcpy(&result, image.data + std::size_t(i) * sizeof(T), sizeof result);
    return result;
}

} // namespace detail

inline Error create_texture_object(TextureObject *object, const ResourceDesc *resource,
                                   const TextureDesc *sampling, const void * /*view*/ = nullptr)
{
    if (object == nullptr || resource == nullptr || sampling == nullptr)
        return detail::report(ErrorInvalidValue);
    *object = 0;
    const bool is_array = resource->resType == ResourceTypeArray;
    if (is_array && resource->res.array.array == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    const detail::Image image = detail::image_of(*resource);
    if (image.data == nullptr)
        return detail::report(ErrorInvalidValue);
    const detail::Texture described{image, *resource, *sampling};
    detail::Texture *texture = nullptr; // kernels read it, too
    const Error error = malloc(&texture, sizeof described);
    if (error != Success)
        return error;
    detail::copy_bytes(texture, &described, sizeof described, MemcpyHostToDevice);
    *object = reinterpret_cast<TextureObject>(texture);
    return Success;
}

inline Error destroy_texture_object(TextureObject object)
{
    return g2o::free(reinterpret_cast<detail::Texture *>(object));
}

inline Error get_texture_object_resource_desc(ResourceDesc *resource, TextureObject object)
{
    detail::Texture described;
    const auto *const texture = reinterpret_cast<const detail::Texture *>(object);
    detail::copy_bytes(&described, texture, sizeof described, MemcpyDeviceToHost);
    *resource = described.resource;
    return Success;
}

template <class T> T tex1Dfetch(TextureObject object, int i)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch_index<T>(t.image, t.sampling, i);
}

template <class T> T tex1D(TextureObject object, float x)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 1, x, 0.0f, 0.0f);
}

template <class T> T tex2D(TextureObject object, float x, float y)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 2, x, y, 0.0f);
}

template <class T> T tex3D(TextureObject object, float x, float y, float z)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 3, x, y, z);
}

// The same with the place for the result in front.
template <class T> void tex1Dfetch(T *result, TextureObject object, int i)
{
    *result = tex1Dfetch<T>(object, i);
}
template <class T> void tex1D(T *result, TextureObject object, float x)
{
    *result = tex1D<T>(object, x);
}
template <class T> void tex2D(T *result, TextureObject object, float x, float y)
{
    *result = tex2D<T>(object, x, y);
}
template <class T> void tex3D(T *result, TextureObject object, float x, float y, float z)
{
    *result = tex3D<T>(object, x, y, z);
}

template <class T> T tex2DLayered(TextureObject object, float x, float y, int layer)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 2, x, y, float(layer));
}

template <class T> T tex1DLayered(TextureObject object, float x, int layer)
{
    const detail::Texture &t = detail::texture(object);
    return detail::fetch<T>(t.image, t.sampling, 1, x, 0.0f, float(layer));
}

namespace detail {

// The face of a cube that a direction leads to, and where it comes through that, in [0, 1].
struct CubePoint {
    float s, t;
    int face;
};

inline CubePoint cube_point(float x, float y, float z)
{
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    float s, t, m;
    int face;
    if (ax >= ay && ax >= az) {
        s = x >= 0.0f ? -z : z, t = -y, m = ax, face = x >= 0.0f ? 0 : 1;
    } else if (ay >= az) {
        s = x, t = y >= 0.0f ? z : -z, m = ay, face = y >= 0.0f ? 2 : 3;
    } else {
        s = z >= 0.0f ? x : -x, t = -y, m = az, face = z >= 0.0f ? 4 : 5;
    }
    return {(s / m + 1.0f) / 2.0f, (t / m + 1.0f) / 2.0f, face};
}

} // namespace detail

// Layers of six faces each: towards +x, -x, +y, -y, +z, -z.
template <class T>
T texCubemapLayered(TextureObject object, float x, float y, float z, int layer)
{
    const detail::Texture &t = detail::texture(object);
    const detail::CubePoint at = detail::cube_point(x, y, z);
    const bool normalised = t.sampling.normalizedCoords != 0;
    const float side = normalised ? 1.0f : float(t.image.width);
    const float slice = float(6 * layer + at.face);
    return detail::fetch<T>(t.image, t.sampling, 2, at.s * side, at.t * side, slice);
}

template <class T> T texCubemap(TextureObject object, float x, float y, float z)
{
    return texCubemapLayered<T>(object, x, y, z, 0);
}

// One component of each of the four elements that tex2D would interpolate between.
template <class T> T tex2Dgather(TextureObject object, float x, float y, int component = 0)
{
    const detail::Texture &t = detail::texture(object);
    if (t.sampling.normalizedCoords != 0) {
        x *= float(t.image.width);
        y *= float(t.image.height);
    }
    const int i = int(floorf(x - 0.5f)), j = int(floorf(y - 0.5f));
    const int columns[4] = {i, i + 1, i + 1, i}, rows[4] = {j + 1, j + 1, j, j};
    detail::Texel gathered;
    for (int corner = 0; corner < 4; ++corner)
        gathered.c[corner] =
            detail::read_texel(t.image, t.sampling, columns[corner], rows[corner], 0).c[component];
    return detail::from_texel<T>(gathered);
}

template <class T> void tex1DLayered(T *result, TextureObject object, float x, int layer)
{
    *result = tex1DLayered<T>(object, x, layer);
}
template <class T> void tex2DLayered(T *result, TextureObject object, float x, float y, int layer)
{
    *result = tex2DLayered<T>(object, x, y, layer);
}
template <class T> void texCubemap(T *result, TextureObject object, float x, float y, float z)
{
    *result = texCubemap<T>(object, x, y, z);
}

// Arrays here have one level of detail, which every level and change asked for means.
template <class T> T tex1DGrad(TextureObject object, float x, float /*dx*/, float /*dy*/)
{
    return tex1D<T>(object, x);
}
template <class T>
T tex2DGrad(TextureObject object, float x, float y, float2 /*dx*/, float2 /*dy*/)
{
    return tex2D<T>(object, x, y);
}
template <class T>
T tex3DGrad(TextureObject object, float x, float y, float z, float4 /*dx*/, float4 /*dy*/)
{
    return tex3D<T>(object, x, y, z);
}
template <class T> T tex1DLod(TextureObject object, float x, float /*level*/)
{
    return tex1D<T>(object, x);
}
template <class T> T tex2DLod(TextureObject object, float x, float y, float /*level*/)
{
    return tex2D<T>(object, x, y);
}
template <class T> T tex3DLod(TextureObject object, float x, float y, float z, float /*level*/)
{
    return tex3D<T>(object, x, y, z);
}

// ---- surfaces -----------------------------------------------------------------------------------

// Arrays that kernels read and write by position. Positions along x count bytes.
inline Error create_surface_object(SurfaceObject *object, const ResourceDesc *resource)
{
    if (object == nullptr || resource == nullptr || resource->resType != ResourceTypeArray)
        return detail::report(ErrorInvalidValue);
    const TextureDesc sampling = {};
    return create_texture_object(object, resource, &sampling);
}

inline Error destroy_surface_object(SurfaceObject object) { return destroy_texture_object(object); }

namespace detail {

// Where an access of `bytes` bytes takes place; null where it does not.
inline unsigned char *surface_address(SurfaceObject object, std::size_t bytes, int x_bytes, int y,
                                      int z, SurfaceBoundaryMode mode)
{
    const Image &image = texture(object).image;
    const int columns = int(image.pitch / bytes);
    int x = x_bytes < 0 ? -1 : x_bytes / int(bytes);
    const bool is_inside = x >= 0 && x < columns && y >= 0 && y < image.height && z >= 0 &&
                           z < image.depth;
    if (!is_inside && mode == BoundaryModeTrap)
        __builtin_trap();
    if (!is_inside && mode == BoundaryModeZero)
        return nullptr;
    x = std::min(std::max(x, 0), columns - 1);
    y = std::min(std::max(y, 0), image.height - 1);
    z = std::min(std::max(z, 0), image.depth - 1);
    const std::size_t row = std::size_t(z) * std::size_t(image.height) + std::size_t(y);
    return const_cast<unsigned char *>(image.data) + row * image.pitch + std::size_t(x) * bytes;
}

template <class T>
T surface_read(SurfaceObject object, int x, int y, int z, SurfaceBoundaryMode mode)
{
    T value = {};
    if (const unsigned char *place = surface_address(object, sizeof(T), x, y, z, mode))
        std::memcpy(&value, place, sizeof value);
    return value;
}

template <class T>
void surface_write(const T &value, SurfaceObject object, int x, int y, int z,
                   SurfaceBoundaryMode mode)
{
    if (unsigned char *place = surface_address(object, sizeof(T), x, y, z, mode))
        std::memcpy(place, &value, sizeof value);
}

} // namespace detail

template <class T>
T surf1Dread(SurfaceObject object, int x, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, 0, 0, mode);
}

template <class T>
T surf2Dread(SurfaceObject object, int x, int y, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, y, 0, mode);
}

template <class T>
T surf3Dread(SurfaceObject object, int x, int y, int z, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, y, z, mode);
}

template <class T>
T surf2DLayeredread(SurfaceObject object, int x, int y, int layer,
                    SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    return detail::surface_read<T>(object, x, y, layer, mode);
}

// The same with the place for the result in front.
template <class T>
void surf1Dread(T *result, SurfaceObject object, int x, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf1Dread<T>(object, x, mode);
}
template <class T>
void surf2Dread(T *result, SurfaceObject object, int x, int y,
                SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf2Dread<T>(object, x, y, mode);
}
template <class T>
void surf3Dread(T *result, SurfaceObject object, int x, int y, int z,
                SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf3Dread<T>(object, x, y, z, mode);
}
template <class T>
void surf2DLayeredread(T *result, SurfaceObject object, int x, int y, int layer,
                       SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    *result = surf2DLayeredread<T>(object, x, y, layer, mode);
}

template <class T>
void surf1Dwrite(T value, SurfaceObject object, int x, SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, 0, 0, mode);
}
template <class T>
void surf2Dwrite(T value, SurfaceObject object, int x, int y,
                 SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, y, 0, mode);
}
template <class T>
void surf3Dwrite(T value, SurfaceObject object, int x, int y, int z,
                 SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, y, z, mode);
}
template <class T>
void surf2DLayeredwrite(T value, SurfaceObject object, int x, int y, int layer,
                        SurfaceBoundaryMode mode = BoundaryModeTrap)
{
    detail::surface_write(value, object, x, y, layer, mode);
}

// ---- texture references -------------------------------------------------------------------------

// A texture at namespace scope, of CUDA before version 12. What the program sets in it counts from
// the time that memory is bound to it; then the device gets a copy of it.
struct TextureReference {
    int normalized;
    TextureFilterMode filterMode;
    TextureAddressMode addressMode[3];
    ChannelFormatDesc channelDesc;
    TextureReadMode readMode;
    detail::Texture bound;
};

template <class T, int Dimensions = 1, TextureReadMode Mode = ReadModeElementType>
struct texture : TextureReference {
    texture(int in_unit_range = 0, TextureFilterMode filter = FilterModePoint,
            TextureAddressMode address = AddressModeClamp)
        : TextureReference{in_unit_range, filter, {address, address, address},
                           create_channel_desc<T>(), Mode, {}}
    {
    }
};

namespace detail {

// Kernels see what the host has set.
inline void show_to_kernels([[maybe_unused]] const TextureReference &reference)
{
#ifdef G2O_OFFLOAD
    copy_bytes(symbol_address(reference), &reference, sizeof reference, MemcpyHostToDevice);
#endif
}

inline Error bind(TextureReference &reference, const ResourceDesc &resource)
{
    const Image image = image_of(resource);
    if (image.data == nullptr)
        return report(ErrorInvalidValue);
    TextureDesc sampling = {};
    std::copy_n(reference.addressMode, 3, sampling.addressMode);
    sampling.filterMode = reference.filterMode;
    sampling.readMode = reference.readMode;
    sampling.normalizedCoords = reference.normalized;
    reference.bound = {image, resource, sampling};
    show_to_kernels(reference);
    return Success;
}

// What a fetch gives: the element, or its components scaled to [0, 1] or [-1, 1].
template <class T, TextureReadMode Mode> struct Fetched {
    using type = T;
};

template <class T> struct Fetched<T, ReadModeNormalizedFloat> {
    using type = std::conditional_t<components<T>() == 1, float,
                                    std::conditional_t<components<T>() == 2, float2, float4>>;
};

template <class T, TextureReadMode Mode> using fetched_t = typename Fetched<T, Mode>::type;

} // namespace detail

inline Error bind_texture(std::size_t *offset, TextureReference &reference, const void *pointer,
                          const ChannelFormatDesc &desc, std::size_t bytes = INT_MAX)
{
    if (offset != nullptr)
        *offset = 0;
    ResourceDesc resource = {};
    resource.resType = ResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(pointer);
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = std::min(bytes, std::size_t(INT_MAX));
    return detail::bind(reference, resource);
}

inline Error bind_texture(std::size_t *offset, TextureReference &reference, const void *pointer,
                          std::size_t bytes = INT_MAX)
{
    return bind_texture(offset, reference, pointer, reference.channelDesc, bytes);
}

inline Error bind_texture(std::size_t *offset, TextureReference *reference, const void *pointer,
                          const ChannelFormatDesc *desc, std::size_t bytes = INT_MAX)
{
    return bind_texture(offset, *reference, pointer, *desc, bytes);
}

inline Error bind_texture_2d(std::size_t *offset, TextureReference &reference, const void *pointer,
                             const ChannelFormatDesc &desc, std::size_t width, std::size_t height,
                             std::size_t pitch)
{
    if (offset != nullptr)
        *offset = 0;
    ResourceDesc resource = {};
    resource.resType = ResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void *>(pointer), desc, width, height, pitch};
    return detail::bind(reference, resource);
}

inline Error bind_texture_2d(std::size_t *offset, TextureReference &reference, const void *pointer,
                             std::size_t width, std::size_t height, std::size_t pitch)
{
    return bind_texture_2d(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}

inline Error bind_texture_to_array(TextureReference &reference, ArrayConst array)
{
    if (array == nullptr)
        return detail::report(ErrorInvalidResourceHandle);
    ResourceDesc resource = {};
    resource.resType = ResourceTypeArray;
    resource.res.array.array = const_cast<Array>(array);
    return detail::bind(reference, resource);
}

inline Error bind_texture_to_array(TextureReference &reference, ArrayConst array,
                                   const ChannelFormatDesc & /*desc*/)
{
    return bind_texture_to_array(reference, array);
}

inline Error bind_texture_to_array(TextureReference *reference, ArrayConst array,
                                   const ChannelFormatDesc * /*desc*/)
{
    return bind_texture_to_array(*reference, array);
}

inline Error unbind_texture(TextureReference &reference)
{
    reference.bound = {};
    detail::show_to_kernels(reference);
    return Success;
}

inline Error unbind_texture(TextureReference *reference) { return unbind_texture(*reference); }

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex1Dfetch(const texture<T, Dimensions, Mode> &t, int i)
{
    return detail::fetch_index<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, i);
}

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex1D(const texture<T, Dimensions, Mode> &t, float x)
{
    return detail::fetch<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, 1, x, 0, 0);
}

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex2D(const texture<T, Dimensions, Mode> &t, float x, float y)
{
    return detail::fetch<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, 2, x, y, 0);
}

template <class T, int Dimensions, TextureReadMode Mode>
detail::fetched_t<T, Mode> tex3D(const texture<T, Dimensions, Mode> &t, float x, float y, float z)
{
    return detail::fetch<detail::fetched_t<T, Mode>>(t.bound.image, t.bound.sampling, 3, x, y, z);
}

} // namespace g2o

#pragma pop_macro("T")

} // extern "C++"

#endif // G2O_TEXTURES_HPP
