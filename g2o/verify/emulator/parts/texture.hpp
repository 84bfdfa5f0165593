// Textures and surfaces, as the CUDA C++ Programming Guide (appendix "Texture Fetching") defines
// them, except that filter weights keep their full precision.
#pragma once

#include "memory.hpp"
#include "vector_types.hpp"

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
enum cudaResourceViewFormat { cudaResViewFormatNone = 0 };
struct cudaResourceViewDesc {
    cudaResourceViewFormat format;
    std::size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
};
using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

constexpr int cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3,
              cudaTextureType1DLayered = 0xF1, cudaTextureType2DLayered = 0xF2;

namespace g2o_emulator {

template <typename T, bool = std::is_arithmetic<T>::value>
struct VectorShape {
    using Component = T;
};
template <typename T>
struct VectorShape<T, false> {
    using Component = decltype(T{}.x);
};
template <typename T>
using component_t = typename VectorShape<T>::Component;
template <typename T>
constexpr int component_count = static_cast<int>(sizeof(T) / sizeof(component_t<T>));

template <typename T>
cudaChannelFormatDesc channel_desc() {
    using C = component_t<T>;
    constexpr int bits = static_cast<int>(sizeof(C)) * 8, n = component_count<T>;
    cudaChannelFormatKind kind = std::is_floating_point<C>::value ? cudaChannelFormatKindFloat
                                 : std::is_signed<C>::value       ? cudaChannelFormatKindSigned
                                                                  : cudaChannelFormatKindUnsigned;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind};
}

// What is sampled, and how.
struct Texture {
    cudaResourceDesc resource{};
    cudaTextureDesc how{};
    char *data = nullptr;
    cudaChannelFormatDesc desc{};
    long width = 0, height = 1, depth = 1;
    std::size_t pitch = 0, slice = 0;

    std::size_t element() const {
        return static_cast<std::size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
    }
};

inline cudaError_t bind(Texture &t) {
    const auto &res = t.resource.res;
    switch (t.resource.resType) {
    case cudaResourceTypeArray: {
        const cudaArray *a = res.array.array;
        if (!a)
            return cudaErrorInvalidValue;
        t.data = a->data;
        t.desc = a->desc;
        t.width = static_cast<long>(a->width);
        t.height = static_cast<long>(a->rows());
        t.depth = static_cast<long>(a->slices());
        t.pitch = a->row();
        t.slice = a->row() * a->rows();
        return cudaSuccess;
    }
    case cudaResourceTypeLinear:
        t.data = static_cast<char *>(res.linear.devPtr);
        t.desc = res.linear.desc;
        t.width = static_cast<long>(res.linear.sizeInBytes / (t.element() ? t.element() : 1));
        return t.data ? cudaSuccess : cudaErrorInvalidValue;
    case cudaResourceTypePitch2D:
        t.data = static_cast<char *>(res.pitch2D.devPtr);
        t.desc = res.pitch2D.desc;
        t.width = static_cast<long>(res.pitch2D.width);
        t.height = static_cast<long>(res.pitch2D.height);
        t.pitch = res.pitch2D.pitchInBytes;
        return t.data ? cudaSuccess : cudaErrorInvalidValue;
    case cudaResourceTypeMipmappedArray:
        break;
    }
    return cudaErrorNotSupported;
}

// The index that an address mode makes of `i`; -1: the border colour.
inline long wrap_index(long i, long size, cudaTextureAddressMode mode) {
    if (i >= 0 && i < size)
        return i;
    switch (mode) {
    case cudaAddressModeBorder:
        return -1;
    case cudaAddressModeWrap:
        return ((i % size) + size) % size;
    case cudaAddressModeMirror: {
        long period = 2 * size, at = ((i % period) + period) % period;
        return at < size ? at : period - 1 - at;
    }
    case cudaAddressModeClamp:
        break;
    }
    return i < 0 ? 0 : size - 1;
}

template <typename From>
float normalized(const char *at) {
    From raw;
    std::memcpy(&raw, at, sizeof raw);
    float value = static_cast<float>(raw) / static_cast<float>(std::numeric_limits<From>::max());
    return value < -1.0f ? -1.0f : value;
}

// One component of the element at `at`, as the read mode says.
template <typename C>
C read_component(const Texture &t, const char *at, int index) {
    int bytes = t.desc.x / 8;
    at += index * bytes;
    if (t.how.readMode == cudaReadModeNormalizedFloat && t.desc.f != cudaChannelFormatKindFloat) {
        bool is_signed = t.desc.f == cudaChannelFormatKindSigned;
        if (bytes == 1)
            return static_cast<C>(is_signed ? normalized<signed char>(at)
                                            : normalized<unsigned char>(at));
        return static_cast<C>(is_signed ? normalized<short>(at) : normalized<unsigned short>(at));
    }
    C value{};
    std::memcpy(&value, at,
                static_cast<std::size_t>(bytes) < sizeof(C) ? static_cast<std::size_t>(bytes)
                                                            : sizeof(C));
    return value;
}

template <typename T>
T texel(const Texture &t, long x, long y, long z) {
    using C = component_t<T>;
    // Wrap and mirror need normalised coordinates; without them they clamp.
    auto mode = [&](int axis) {
        cudaTextureAddressMode m = t.how.addressMode[axis];
        bool clamps =
            !t.how.normalizedCoords && (m == cudaAddressModeWrap || m == cudaAddressModeMirror);
        return clamps ? cudaAddressModeClamp : m;
    };
    x = wrap_index(x, t.width, mode(0));
    y = wrap_index(y, t.height, mode(1));
    z = wrap_index(z, t.depth, mode(2));
    C components[4] = {};
    int n = component_count<T>;
    if (x < 0 || y < 0 || z < 0) {
        for (int i = 0; i < n; ++i)
            components[i] = static_cast<C>(t.how.borderColor[i]);
    } else {
        std::size_t offset = static_cast<std::size_t>(z) * t.slice +
                             static_cast<std::size_t>(y) * t.pitch +
                             static_cast<std::size_t>(x) * t.element();
        int stored = (t.desc.x > 0) + (t.desc.y > 0) + (t.desc.z > 0) + (t.desc.w > 0);
        for (int i = 0; i < n && i < stored; ++i)
            components[i] = read_component<C>(t, t.data + offset, i);
    }
    T result;
    std::memcpy(&result, components, sizeof result);
    return result;
}

// The element at an index of linear memory; beyond its ends there are zeros.
template <typename T>
T element(const Texture &t, long x) {
    return x < 0 || x >= t.width ? T{} : texel<T>(t, x, 0, 0);
}

template <typename T>
T sample(const Texture &t, int axes, float x, float y, float z) {
    using C = component_t<T>;
    if (t.how.normalizedCoords) {
        x *= static_cast<float>(t.width);
        y *= axes > 1 ? static_cast<float>(t.height) : 1.0f;
        z *= axes > 2 ? static_cast<float>(t.depth) : 1.0f;
    }
    if (t.how.filterMode == cudaFilterModePoint)
        return texel<T>(t, static_cast<long>(floorf(x)), static_cast<long>(floorf(y)),
                        static_cast<long>(floorf(z)));
    float at[3] = {x - 0.5f, axes > 1 ? y - 0.5f : y, axes > 2 ? z - 0.5f : z};
    long base[3];
    float upper[3];
    for (int i = 0; i < 3; ++i) {
        base[i] = static_cast<long>(floorf(at[i]));
        upper[i] = i < axes ? at[i] - floorf(at[i]) : 0.0f;
    }
    float sum[4] = {};
    for (int corner = 0; corner < 1 << axes; ++corner) {
        float weight = 1.0f;
        long p[3];
        for (int i = 0; i < 3; ++i) {
            int high = corner >> i & 1;
            p[i] = base[i] + high;
            if (i < axes)
                weight *= high ? upper[i] : 1.0f - upper[i];
        }
        T value = texel<T>(t, p[0], p[1], p[2]);
        C components[4] = {};
        std::memcpy(components, &value, sizeof value);
        for (int i = 0; i < component_count<T>; ++i)
            sum[i] += weight * static_cast<float>(components[i]);
    }
    C components[4];
    for (int i = 0; i < 4; ++i)
        components[i] = static_cast<C>(sum[i]);
    T result;
    std::memcpy(&result, components, sizeof result);
    return result;
}

inline const Texture &texture_of(cudaTextureObject_t object) {
    return *reinterpret_cast<const Texture *>(object);
}

} // namespace g2o_emulator

template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    return g2o_emulator::channel_desc<T>();
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
    *desc = array->desc;
    return cudaSuccess;
}

// ---- texture objects ---------------------------------------------------------------------------

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                           const cudaResourceDesc *resource,
                                           const cudaTextureDesc *how,
                                           const cudaResourceViewDesc * = nullptr) {
    auto *texture = new g2o_emulator::Texture;
    texture->resource = *resource;
    texture->how = *how;
    cudaError_t error = g2o_emulator::bind(*texture);
    if (error != cudaSuccess) {
        delete texture;
        return g2o_emulator::status(error);
    }
    *object = reinterpret_cast<cudaTextureObject_t>(texture);
    return cudaSuccess;
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    delete reinterpret_cast<g2o_emulator::Texture *>(object);
    return cudaSuccess;
}
inline cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                                    cudaTextureObject_t object) {
    *resource = g2o_emulator::texture_of(object).resource;
    return cudaSuccess;
}

template <typename T>
T tex1Dfetch(cudaTextureObject_t object, int x) {
    return g2o_emulator::element<T>(g2o_emulator::texture_of(object), x);
}
template <typename T>
T tex1D(cudaTextureObject_t object, float x) {
    return g2o_emulator::sample<T>(g2o_emulator::texture_of(object), 1, x, 0, 0);
}
template <typename T>
T tex2D(cudaTextureObject_t object, float x, float y) {
    return g2o_emulator::sample<T>(g2o_emulator::texture_of(object), 2, x, y, 0);
}
template <typename T>
T tex3D(cudaTextureObject_t object, float x, float y, float z) {
    return g2o_emulator::sample<T>(g2o_emulator::texture_of(object), 3, x, y, z);
}
template <typename T>
T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
    return g2o_emulator::sample<T>(g2o_emulator::texture_of(object), 1, x, 0,
                                   static_cast<float>(layer));
}
template <typename T>
T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
    return g2o_emulator::sample<T>(g2o_emulator::texture_of(object), 2, x, y,
                                   static_cast<float>(layer));
}
namespace g2o_emulator {
struct Direction {
    int face;
    float across, down; // from -1 to 1
};
inline Direction direction(const float (&v)[3]) {
    int major = std::fabs(v[1]) > std::fabs(v[0]) ? 1 : 0;
    major = std::fabs(v[2]) > std::fabs(v[major]) ? 2 : major;
    const bool back = v[major] < 0;
    const float length = std::fabs(v[major]);
    const float across = major == 0 ? (back ? v[2] : -v[2]) : major == 1 ? v[0] : back ? -v[0] : v[0];
    const float down = major == 1 ? (back ? -v[2] : v[2]) : -v[1];
    return {2 * major + (back ? 1 : 0), across / length, down / length};
}
} // namespace g2o_emulator
template <typename T>
T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
    const g2o_emulator::Texture &t = g2o_emulator::texture_of(object);
    const g2o_emulator::Direction to = g2o_emulator::direction({x, y, z});
    const float side = t.how.normalizedCoords ? 1.0f : static_cast<float>(t.width);
    return g2o_emulator::sample<T>(t, 2, (to.across + 1) / 2 * side, (to.down + 1) / 2 * side,
                                   static_cast<float>(6 * layer + to.face));
}
template <typename T>
T texCubemap(cudaTextureObject_t object, float x, float y, float z) {
    return texCubemapLayered<T>(object, x, y, z, 0);
}
template <typename T>
void texCubemap(T *value, cudaTextureObject_t object, float x, float y, float z) {
    *value = texCubemap<T>(object, x, y, z);
}
template <typename T>
T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
    const g2o_emulator::Texture &t = g2o_emulator::texture_of(object);
    if (t.how.normalizedCoords) {
        x *= static_cast<float>(t.width);
        y *= static_cast<float>(t.height);
    }
    const long i = static_cast<long>(floorf(x - 0.5f)), j = static_cast<long>(floorf(y - 0.5f));
    using C = g2o_emulator::component_t<T>;
    C corners[4];
    for (int corner = 0; corner < 4; ++corner) {
        const T value = g2o_emulator::texel<T>(t, i + (corner == 1 || corner == 2), j + (corner < 2), 0);
        C parts[4];
        std::memcpy(parts, &value, sizeof parts);
        corners[corner] = parts[component];
    }
    T gathered;
    std::memcpy(&gathered, corners, sizeof gathered);
    return gathered;
}
template <typename T>
T tex2DGrad(cudaTextureObject_t object, float x, float y, float2, float2) {
    return tex2D<T>(object, x, y);
}
template <typename T>
T tex2DLod(cudaTextureObject_t object, float x, float y, float) {
    return tex2D<T>(object, x, y);
}
template <typename T>
void tex1Dfetch(T *value, cudaTextureObject_t object, int x) {
    *value = tex1Dfetch<T>(object, x);
}
template <typename T>
void tex1D(T *value, cudaTextureObject_t object, float x) {
    *value = tex1D<T>(object, x);
}
template <typename T>
void tex2D(T *value, cudaTextureObject_t object, float x, float y) {
    *value = tex2D<T>(object, x, y);
}
template <typename T>
void tex3D(T *value, cudaTextureObject_t object, float x, float y, float z) {
    *value = tex3D<T>(object, x, y, z);
}

// ---- surfaces: x counts bytes ------------------------------------------------------------------

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2,
};
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                           const cudaResourceDesc *resource) {
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof how);
    return cudaCreateTextureObject(object, resource, &how);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return cudaDestroyTextureObject(object);
}

namespace g2o_emulator {

inline char *surface_place(cudaSurfaceObject_t object, int x, int y, int z) {
    const Texture &t = texture_of(object);
    bool inside = x >= 0 && y >= 0 && z >= 0 &&
                  static_cast<std::size_t>(x) < static_cast<std::size_t>(t.width) * t.element() &&
                  y < t.height && z < t.depth;
    if (!inside) {
        std::fprintf(stderr, "g2o emulator: surface access (%d,%d,%d) out of bounds\n", x, y, z);
        stop(exit_undefined);
    }
    return t.data + static_cast<std::size_t>(z) * t.slice + static_cast<std::size_t>(y) * t.pitch +
           x;
}

} // namespace g2o_emulator

template <typename T>
T surf3Dread(cudaSurfaceObject_t object, int x, int y, int z,
             cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    T value;
    std::memcpy(&value, g2o_emulator::surface_place(object, x, y, z), sizeof value);
    return value;
}
template <typename T>
T surf2Dread(cudaSurfaceObject_t object, int x, int y,
             cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    return surf3Dread<T>(object, x, y, 0);
}
template <typename T>
T surf1Dread(cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    return surf3Dread<T>(object, x, 0, 0);
}
template <typename T>
void surf2Dread(T *value, cudaSurfaceObject_t object, int x, int y,
                cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    *value = surf2Dread<T>(object, x, y);
}
template <typename T>
void surf3Dwrite(T value, cudaSurfaceObject_t object, int x, int y, int z,
                 cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    std::memcpy(g2o_emulator::surface_place(object, x, y, z), &value, sizeof value);
}
template <typename T>
void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
                 cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    surf3Dwrite(value, object, x, y, 0);
}
template <typename T>
void surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
                 cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {
    surf3Dwrite(value, object, x, 0, 0);
}

// ---- texture references (CUDA before 12) -------------------------------------------------------

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    cudaTextureReadMode readMode;
    g2o_emulator::Texture bound;
};

template <typename T, int Type = cudaTextureType1D,
          cudaTextureReadMode Mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : textureReference{
              norm, filter, {address, address, address}, g2o_emulator::channel_desc<T>(),
              Mode, {}} {}
};

namespace g2o_emulator {

// References are bound through const parameters, as CUDA declares them.
inline cudaError_t bind_reference(const textureReference &reference,
                                  const cudaResourceDesc &resource) {
    Texture &t = const_cast<textureReference &>(reference).bound;
    t.how = {};
    for (int i = 0; i < 3; ++i)
        t.how.addressMode[i] = reference.addressMode[i];
    t.how.filterMode = reference.filterMode;
    t.how.readMode = reference.readMode;
    t.how.normalizedCoords = reference.normalized;
    t.resource = resource;
    return status(bind(t));
}

// What reading a reference of element type T gives.
template <typename T, cudaTextureReadMode Mode>
struct Fetched {
    using type = T;
};
template <typename T>
struct Fetched<T, cudaReadModeNormalizedFloat> {
    static constexpr int n = component_count<T>;
    using type = std::conditional_t<
        n == 1, float,
        std::conditional_t<n == 2, float2, std::conditional_t<n == 3, float3, float4>>>;
};

} // namespace g2o_emulator

inline cudaError_t cudaBindTexture(std::size_t *offset, const textureReference &reference,
                                   const void *data, const cudaChannelFormatDesc &desc,
                                   std::size_t bytes = UINT_MAX) {
    if (offset)
        *offset = 0;
    const g2o_emulator::Allocation *found =
        bytes == UINT_MAX ? g2o_emulator::allocations().find(data) : nullptr;
    cudaResourceDesc resource;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void *>(data), desc, found ? found->bytes : bytes};
    return g2o_emulator::bind_reference(reference, resource);
}
inline cudaError_t cudaBindTexture(std::size_t *offset, const textureReference *reference,
                                   const void *data, const cudaChannelFormatDesc *desc,
                                   std::size_t bytes = UINT_MAX) {
    return cudaBindTexture(offset, *reference, data, *desc, bytes);
}
inline cudaError_t cudaBindTexture(std::size_t *offset, const textureReference &reference,
                                   const void *data, std::size_t bytes = UINT_MAX) {
    return cudaBindTexture(offset, reference, data, reference.channelDesc, bytes);
}
inline cudaError_t cudaBindTexture2D(std::size_t *offset, const textureReference &reference,
                                     const void *data, const cudaChannelFormatDesc &desc,
                                     std::size_t width, std::size_t height, std::size_t pitch) {
    if (offset)
        *offset = 0;
    cudaResourceDesc resource;
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void *>(data), desc, width, height, pitch};
    return g2o_emulator::bind_reference(reference, resource);
}
inline cudaError_t cudaBindTexture2D(std::size_t *offset, const textureReference *reference,
                                     const void *data, const cudaChannelFormatDesc *desc,
                                     std::size_t width, std::size_t height, std::size_t pitch) {
    return cudaBindTexture2D(offset, *reference, data, *desc, width, height, pitch);
}
inline cudaError_t cudaBindTexture2D(std::size_t *offset, const textureReference &reference,
                                     const void *data, std::size_t width, std::size_t height,
                                     std::size_t pitch) {
    return cudaBindTexture2D(offset, reference, data, reference.channelDesc, width, height, pitch);
}
inline cudaError_t cudaBindTextureToArray(const textureReference &reference,
                                          cudaArray_const_t array) {
    cudaResourceDesc resource;
    resource.resType = cudaResourceTypeArray;
    resource.res.array = {const_cast<cudaArray_t>(array)};
    return g2o_emulator::bind_reference(reference, resource);
}
inline cudaError_t cudaBindTextureToArray(const textureReference &reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc &) {
    return cudaBindTextureToArray(reference, array);
}
inline cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc *) {
    return cudaBindTextureToArray(*reference, array);
}
inline cudaError_t cudaUnbindTexture(const textureReference &) { return cudaSuccess; }
inline cudaError_t cudaUnbindTexture(const textureReference *) { return cudaSuccess; }

template <typename T, int Type, cudaTextureReadMode Mode>
typename g2o_emulator::Fetched<T, Mode>::type tex1Dfetch(const texture<T, Type, Mode> &r, int x) {
    return g2o_emulator::element<typename g2o_emulator::Fetched<T, Mode>::type>(r.bound, x);
}
template <typename T, int Type, cudaTextureReadMode Mode>
typename g2o_emulator::Fetched<T, Mode>::type tex1D(const texture<T, Type, Mode> &r, float x) {
    return g2o_emulator::sample<typename g2o_emulator::Fetched<T, Mode>::type>(r.bound, 1, x, 0, 0);
}
template <typename T, int Type, cudaTextureReadMode Mode>
typename g2o_emulator::Fetched<T, Mode>::type tex2D(const texture<T, Type, Mode> &r, float x,
                                                    float y) {
    return g2o_emulator::sample<typename g2o_emulator::Fetched<T, Mode>::type>(r.bound, 2, x, y, 0);
}
template <typename T, int Type, cudaTextureReadMode Mode>
typename g2o_emulator::Fetched<T, Mode>::type tex3D(const texture<T, Type, Mode> &r, float x,
                                                    float y, float z) {
    return g2o_emulator::sample<typename g2o_emulator::Fetched<T, Mode>::type>(r.bound, 3, x, y, z);
}
