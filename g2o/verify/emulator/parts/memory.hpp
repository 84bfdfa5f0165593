// Device memory is host memory. What is freshly allocated holds the poison pattern, so reading
// before writing shows; -fsanitize=address finds what goes out of bounds.
#pragma once

#include "errors.hpp"
#include "execution.hpp"
#include "launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#define cudaHostAllocDefault 0u
#define cudaHostAllocPortable 1u
#define cudaHostAllocMapped 2u
#define cudaHostAllocWriteCombined 4u
#define CU_MEMHOSTALLOC_PORTABLE 1u
#define CU_MEMHOSTALLOC_DEVICEMAP 2u
#define CU_MEMHOSTALLOC_WRITECOMBINED 4u
#define cudaHostRegisterDefault 0u
#define cudaHostRegisterPortable 1u
#define cudaHostRegisterMapped 2u
#define cudaHostRegisterReadOnly 8u
#define cudaMemAttachGlobal 1u
#define cudaMemAttachHost 2u
#define cudaMemAttachSingle 4u
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4,
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3,
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6,
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    std::size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(std::size_t w, std::size_t h, std::size_t d) { return {w, h, d}; }
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, std::size_t pitch, std::size_t xs,
                                          std::size_t ys) {
    return {p, pitch, xs, ys};
}

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

// An array in row-major order; `depth` layers or slices.
struct cudaArray {
    cudaChannelFormatDesc desc;
    std::size_t width, height, depth;
    unsigned flags;
    char *data;

    std::size_t element() const {
        return static_cast<std::size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
    }
    std::size_t row() const { return width * element(); }
    std::size_t rows() const { return height ? height : 1; }
    std::size_t slices() const { return depth ? depth : 1; }
};
using cudaArray_t = cudaArray *;
using cudaArray_const_t = const cudaArray *;

namespace g2o_emulator {

struct Allocation {
    char *begin;
    std::size_t bytes;
    cudaMemoryType type;
};

// Every live allocation, by address.
class Allocations {
  public:
    // Memory of `bytes`, aligned as cudaMalloc aligns; nullptr when there is none.
    void *take(std::size_t bytes, cudaMemoryType type) {
        if (bytes > limit)
            return nullptr;
        void *memory = nullptr;
        if (posix_memalign(&memory, 256, bytes ? bytes : 1) != 0)
            return nullptr;
        if (type != cudaMemoryTypeHost)
            fill_poison(memory, bytes < poisoned_at_most ? bytes : poisoned_at_most);
        add(memory, bytes, type);
        return memory;
    }

    void add(void *memory, std::size_t bytes, cudaMemoryType type) {
        DeviceLock lock;
        auto *begin = static_cast<char *>(memory);
        used += bytes;
        all_.insert(after(begin), {begin, bytes, type});
    }

    // Forget the allocation that begins at `memory`; false if there is none of `type`.
    bool remove(void *memory, bool host) {
        DeviceLock lock;
        auto found = after(static_cast<char *>(memory));
        if (found == all_.begin() || (--found)->begin != memory ||
            (found->type == cudaMemoryTypeHost) != host)
            return false;
        used -= found->bytes;
        all_.erase(found);
        return true;
    }

    const Allocation *find(const void *address) {
        DeviceLock lock;
        auto *p = static_cast<const char *>(address);
        auto found = after(p);
        if (found == all_.begin())
            return nullptr;
        --found;
        return p < found->begin + (found->bytes ? found->bytes : 1) ? &*found : nullptr;
    }

    static constexpr std::size_t limit = std::size_t{16} << 30, poisoned_at_most = 256u << 20;
    std::size_t used = 0;

  private:
    std::vector<Allocation>::iterator after(const char *p) {
        return std::upper_bound(all_.begin(), all_.end(), p,
                                [](const char *at, const Allocation &a) { return at < a.begin; });
    }
    std::vector<Allocation> all_;
};

inline Allocations &allocations() {
    static auto &all = *new Allocations;
    return all;
}

inline cudaError_t allocate(void **pointer, std::size_t bytes, cudaMemoryType type) {
    if (!pointer)
        return status(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0 && type == cudaMemoryTypeDevice)
        return cudaSuccess;
    *pointer = allocations().take(bytes, type);
    return status(*pointer ? cudaSuccess : cudaErrorMemoryAllocation);
}

inline cudaError_t copy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0)
        return cudaSuccess;
    if (!to || !from)
        return status(cudaErrorInvalidValue);
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return status(cudaErrorInvalidMemcpyDirection);
    std::memmove(to, from, bytes);
    return cudaSuccess;
}

inline cudaError_t copy_rows(void *to, std::size_t to_pitch, const void *from,
                             std::size_t from_pitch, std::size_t width, std::size_t height,
                             cudaMemcpyKind kind) {
    if (width > to_pitch || width > from_pitch)
        return status(cudaErrorInvalidPitchValue);
    for (std::size_t y = 0; y < height; ++y)
        if (cudaError_t error = copy(static_cast<char *>(to) + y * to_pitch,
                                     static_cast<const char *>(from) + y * from_pitch, width, kind))
            return error;
    return cudaSuccess;
}

constexpr std::size_t pitch_alignment = 512;

} // namespace g2o_emulator

// ---- allocation --------------------------------------------------------------------------------

inline cudaError_t cudaMalloc(void **pointer, std::size_t bytes) {
    return g2o_emulator::allocate(pointer, bytes, cudaMemoryTypeDevice);
}
template <typename T>
cudaError_t cudaMalloc(T **pointer, std::size_t bytes) {
    return cudaMalloc(reinterpret_cast<void **>(const_cast<std::remove_cv_t<T> **>(pointer)),
                      bytes);
}
inline cudaError_t cudaMallocHost(void **pointer, std::size_t bytes, unsigned = 0) {
    return g2o_emulator::allocate(pointer, bytes, cudaMemoryTypeHost);
}
template <typename T>
cudaError_t cudaMallocHost(T **pointer, std::size_t bytes, unsigned flags = 0) {
    return cudaMallocHost(reinterpret_cast<void **>(pointer), bytes, flags);
}
inline cudaError_t cudaHostAlloc(void **pointer, std::size_t bytes, unsigned flags) {
    return cudaMallocHost(pointer, bytes, flags);
}
template <typename T>
cudaError_t cudaHostAlloc(T **pointer, std::size_t bytes, unsigned flags) {
    return cudaMallocHost(pointer, bytes, flags);
}
inline cudaError_t cudaMallocManaged(void **pointer, std::size_t bytes,
                                     unsigned = cudaMemAttachGlobal) {
    if (bytes == 0)
        return g2o_emulator::status(cudaErrorInvalidValue);
    return g2o_emulator::allocate(pointer, bytes, cudaMemoryTypeManaged);
}
template <typename T>
cudaError_t cudaMallocManaged(T **pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void **>(pointer), bytes, flags);
}
inline cudaError_t cudaMallocAsync(void **pointer, std::size_t bytes, cudaStream_t stream) {
    g2o_emulator::not_captured(stream, "an allocation in a captured stream");
    return cudaMalloc(pointer, bytes);
}
template <typename T>
cudaError_t cudaMallocAsync(T **pointer, std::size_t bytes, cudaStream_t stream) {
    g2o_emulator::not_captured(stream, "an allocation in a captured stream");
    return cudaMalloc(pointer, bytes);
}

inline cudaError_t cudaFree(void *pointer) {
    if (!pointer)
        return cudaSuccess;
    if (!g2o_emulator::allocations().remove(pointer, false))
        return g2o_emulator::status(cudaErrorInvalidValue);
    std::free(pointer);
    return cudaSuccess;
}
inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    g2o_emulator::not_captured(stream, "an allocation in a captured stream");
    return cudaFree(pointer);
}
inline cudaError_t cudaFreeHost(void *pointer) {
    if (!pointer)
        return cudaSuccess;
    if (!g2o_emulator::allocations().remove(pointer, true))
        return g2o_emulator::status(cudaErrorInvalidValue);
    std::free(pointer);
    return cudaSuccess;
}
inline cudaError_t cudaHostRegister(void *pointer, std::size_t bytes, unsigned) {
    if (!pointer || bytes == 0)
        return g2o_emulator::status(cudaErrorInvalidValue);
    if (g2o_emulator::allocations().find(pointer))
        return g2o_emulator::status(cudaErrorHostMemoryAlreadyRegistered);
    g2o_emulator::allocations().add(pointer, bytes, cudaMemoryTypeHost);
    return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *pointer) {
    return g2o_emulator::allocations().remove(pointer, true)
               ? cudaSuccess
               : g2o_emulator::status(cudaErrorHostMemoryNotRegistered);
}
inline cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
    *device = host;
    return host ? cudaSuccess : g2o_emulator::status(cudaErrorInvalidValue);
}
template <typename T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
inline cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    *flags = cudaHostAllocDefault;
    const g2o_emulator::Allocation *found = g2o_emulator::allocations().find(host);
    bool pinned = found && found->type == cudaMemoryTypeHost;
    return g2o_emulator::status(pinned ? cudaSuccess : cudaErrorInvalidValue);
}
inline cudaError_t cudaMemGetInfo(std::size_t *free_bytes, std::size_t *total) {
    *total = g2o_emulator::Allocations::limit;
    *free_bytes = *total - g2o_emulator::allocations().used;
    return cudaSuccess;
}
inline CUresult cuInit(unsigned flags) {
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
inline CUresult cuMemGetInfo(std::size_t *free_bytes, std::size_t *total) {
    cudaMemGetInfo(free_bytes, total);
    return CUDA_SUCCESS;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p) {
    const g2o_emulator::Allocation *found = g2o_emulator::allocations().find(p);
    void *plain = const_cast<void *>(p);
    cudaMemoryType type = found ? found->type : cudaMemoryTypeUnregistered;
    bool on_host = type != cudaMemoryTypeDevice;
    *attributes = {type, found ? 0 : cudaInvalidDeviceId, found ? plain : nullptr,
                   on_host ? plain : nullptr};
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, int, cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, int) {
    return cudaSuccess;
}
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, cudaMemLocation, unsigned,
                                        cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, std::size_t = 0, unsigned = 4) {
    return cudaSuccess;
}

// ---- linear copies -----------------------------------------------------------------------------

inline cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
    return g2o_emulator::copy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeMemcpy, [=] {
        return g2o_emulator::copy(to, from, bytes, kind);
    });
}
inline cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, std::size_t bytes) {
    return g2o_emulator::copy(to, from, bytes, cudaMemcpyDefault);
}
inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, std::size_t bytes,
                                       cudaStream_t stream = nullptr) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
inline cudaError_t cudaMemset(void *to, int value, std::size_t bytes) {
    if (bytes == 0)
        return cudaSuccess;
    if (!to)
        return g2o_emulator::status(cudaErrorInvalidValue);
    std::memset(to, value, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *to, int value, std::size_t bytes,
                                   cudaStream_t stream = nullptr) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeMemset,
                                   [=] { return cudaMemset(to, value, bytes); });
}

// ---- pitched and 3-D ---------------------------------------------------------------------------

inline cudaError_t cudaMallocPitch(void **pointer, std::size_t *pitch, std::size_t width,
                                   std::size_t height) {
    constexpr std::size_t a = g2o_emulator::pitch_alignment;
    *pitch = (width + a - 1) / a * a;
    return cudaMalloc(pointer, *pitch * height);
}
template <typename T>
cudaError_t cudaMallocPitch(T **pointer, std::size_t *pitch, std::size_t width,
                            std::size_t height) {
    return cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
}
inline cudaError_t cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
    return g2o_emulator::copy_rows(to, to_pitch, from, from_pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeMemcpy, [=] {
        return g2o_emulator::copy_rows(to, to_pitch, from, from_pitch, width, height, kind);
    });
}
inline cudaError_t cudaMemset2D(void *to, std::size_t pitch, int value, std::size_t width,
                                std::size_t height) {
    for (std::size_t y = 0; y < height; ++y)
        if (cudaError_t error = cudaMemset(static_cast<char *>(to) + y * pitch, value, width))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemset2DAsync(void *to, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height, cudaStream_t stream = nullptr) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeMemset, [=] {
        return cudaMemset2D(to, pitch, value, width, height);
    });
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    for (std::size_t z = 0; z < extent.depth; ++z)
        if (cudaError_t error = cudaMemset2D(static_cast<char *>(to.ptr) + z * to.pitch * to.ysize,
                                             to.pitch, value, extent.width, extent.height))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                     cudaStream_t stream = nullptr) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeMemset,
                                   [=] { return cudaMemset3D(to, value, extent); });
}

// ---- arrays ------------------------------------------------------------------------------------

#define cudaArrayDefault 0u
#define cudaArrayLayered 1u
#define cudaArraySurfaceLoadStore 2u
#define cudaArrayCubemap 4u
#define cudaArrayTextureGather 8u

inline cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                     cudaExtent extent, unsigned flags = 0) {
    auto *made = new cudaArray{*desc, extent.width, extent.height, extent.depth, flags, nullptr};
    std::size_t bytes = made->row() * made->rows() * made->slices();
    made->data = static_cast<char *>(std::malloc(bytes ? bytes : 1));
    if (!made->data) {
        delete made;
        return g2o_emulator::status(cudaErrorMemoryAllocation);
    }
    g2o_emulator::fill_poison(made->data, bytes);
    *array = made;
    return cudaSuccess;
}
inline cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                   std::size_t width, std::size_t height = 0, unsigned flags = 0) {
    return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array)
        std::free(array->data);
    delete array;
    return cudaSuccess;
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent,
                                    unsigned *flags, cudaArray_t array) {
    if (!array)
        return g2o_emulator::status(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = {array->width, array->height, array->depth};
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y,
                                       const void *from, std::size_t pitch, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind) {
    return g2o_emulator::copy_rows(to->data + y * to->row() + x, to->row(), from, pitch, width,
                                   height, kind);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y,
                                            const void *from, std::size_t pitch, std::size_t width,
                                            std::size_t height, cudaMemcpyKind kind,
                                            cudaStream_t stream = nullptr) {
    g2o_emulator::not_captured(stream, "a copy to an array in a captured stream");
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DFromArray(void *to, std::size_t pitch, cudaArray_const_t from,
                                         std::size_t x, std::size_t y, std::size_t width,
                                         std::size_t height, cudaMemcpyKind kind) {
    return g2o_emulator::copy_rows(to, pitch, from->data + y * from->row() + x, from->row(), width,
                                   height, kind);
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void *to, std::size_t pitch, cudaArray_const_t from,
                                              std::size_t x, std::size_t y, std::size_t width,
                                              std::size_t height, cudaMemcpyKind kind,
                                              cudaStream_t stream = nullptr) {
    g2o_emulator::not_captured(stream, "a copy from an array in a captured stream");
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}
inline cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                            cudaArray_const_t from, std::size_t x, std::size_t y,
                                            std::size_t width, std::size_t height,
                                            cudaMemcpyKind kind = cudaMemcpyDeviceToDevice) {
    return cudaMemcpy2DToArray(to, to_x, to_y, from->data + y * from->row() + x, from->row(), width,
                               height, kind);
}
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void *from,
                                     std::size_t bytes, cudaMemcpyKind kind) {
    return g2o_emulator::copy(to->data + y * to->row() + x, from, bytes, kind);
}
inline cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y,
                                          const void *from, std::size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t stream = nullptr) {
    g2o_emulator::not_captured(stream, "a copy to an array in a captured stream");
    return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}
inline cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t bytes, cudaMemcpyKind kind) {
    return g2o_emulator::copy(to, from->data + y * from->row() + x, bytes, kind);
}
inline cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, std::size_t x,
                                            std::size_t y, std::size_t bytes, cudaMemcpyKind kind,
                                            cudaStream_t stream = nullptr) {
    g2o_emulator::not_captured(stream, "a copy from an array in a captured stream");
    return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

// Widths count elements when an array takes part and bytes when none does.
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) {
    const cudaArray *array = p->srcArray ? p->srcArray : p->dstArray;
    std::size_t unit = array ? array->element() : 1;
    struct Side {
        char *data;
        std::size_t row, slice;
    };
    auto side = [](const cudaArray *a, cudaPitchedPtr q, cudaPos at) -> Side {
        char *data = a ? a->data : static_cast<char *>(q.ptr);
        std::size_t row = a ? a->row() : q.pitch;
        std::size_t slice = row * (a ? a->rows() : q.ysize);
        std::size_t element = a ? a->element() : 1;
        return {data + at.z * slice + at.y * row + at.x * element, row, slice};
    };
    Side from = side(p->srcArray, p->srcPtr, p->srcPos),
         to = side(p->dstArray, p->dstPtr, p->dstPos);
    for (std::size_t z = 0; z < p->extent.depth; ++z)
        if (cudaError_t error = g2o_emulator::copy_rows(
                to.data + z * to.slice, to.row, from.data + z * from.slice, from.row,
                p->extent.width * unit, p->extent.height, p->kind))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = nullptr) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeMemcpy,
                                   [copy = *p] { return cudaMemcpy3D(&copy); });
}

// ---- symbols -----------------------------------------------------------------------------------

namespace g2o_emulator {

template <typename T>
char *symbol_address(const T &symbol) {
    return const_cast<char *>(&reinterpret_cast<const volatile char &>(symbol));
}

} // namespace g2o_emulator

template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    if (offset + bytes > sizeof(T))
        return g2o_emulator::status(cudaErrorInvalidValue);
    return g2o_emulator::copy(g2o_emulator::symbol_address(symbol) + offset, from, bytes, kind);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr) {
    g2o_emulator::not_captured(stream, "a copy to a symbol in a captured stream");
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    if (offset + bytes > sizeof(T))
        return g2o_emulator::status(cudaErrorInvalidValue);
    return g2o_emulator::copy(to, g2o_emulator::symbol_address(symbol) + offset, bytes, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
    g2o_emulator::not_captured(stream, "a copy from a symbol in a captured stream");
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
template <typename P, typename T>
cudaError_t cudaGetSymbolAddress(P **pointer, const T &symbol) {
    *pointer = reinterpret_cast<P *>(g2o_emulator::symbol_address(symbol));
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    *pointer = g2o_emulator::symbol_address(symbol);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaGetSymbolSize(std::size_t *bytes, const T &) {
    *bytes = sizeof(T);
    return cudaSuccess;
}
