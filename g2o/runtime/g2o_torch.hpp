// g2o_torch.hpp: what extensions of PyTorch that g2o has translated from CUDA use of ATen/cuda,
// c10/cuda and THC. The names are PyTorch's own.
//
// The "device" is the CPU, so that tensors are on the CPU: streams and guards have nothing to do.
// It builds with any PyTorch, also one without CUDA, none of whose headers for CUDA it includes.
#ifndef G2O_TORCH_HPP
#define G2O_TORCH_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <ATen/ATen.h>
#if __has_include(<ATen/TensorUtils.h>)
#include <ATen/TensorUtils.h>
#endif

#include "g2o_devices.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("CUDA_NUM_THREADS")
#pragma push_macro("GET_BLOCKS")
#undef CUDA_NUM_THREADS
#undef GET_BLOCKS

#define C10_CUDA_CHECK(EXPR)                                                                       \
    do {                                                                                           \
        const g2o::Error g2o_error = EXPR;                                                         \
        TORCH_CHECK(g2o_error == g2o::Error{}, "CUDA error: ", g2o::get_error_string(g2o_error));  \
    } while (0)
#define C10_CUDA_CHECK_WARN(EXPR)                                                                  \
    do {                                                                                           \
        const g2o::Error g2o_error = EXPR;                                                         \
        if (g2o_error != g2o::Error{})                                                             \
            TORCH_WARN("CUDA warning: ", g2o::get_error_string(g2o_error));                        \
    } while (0)
#define C10_CUDA_IGNORE_ERROR(EXPR) static_cast<void>(EXPR)
#define C10_CUDA_CLEAR_ERROR() static_cast<void>(g2o::get_last_error())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(g2o::get_last_error())
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#define THCudaCheck(EXPR) C10_CUDA_CHECK(EXPR)

// What PyTorch only declares for compilers of CUDA.
namespace torch::headeronly {
#ifndef __CUDACC__
template <typename T> struct RestrictPtrTraits {
    typedef T *__restrict__ PtrType;
};
#endif
} // namespace torch::headeronly
namespace at {
#ifndef __CUDACC__
using torch::headeronly::RestrictPtrTraits;
#endif
} // namespace at

namespace c10::cuda {
inline namespace g2o_openmp {

inline DeviceIndex device_count() noexcept { return 1; }
inline DeviceIndex current_device() { return 0; }
inline void set_device(DeviceIndex) {}
inline void device_synchronize() {}
inline DeviceIndex ExchangeDevice(DeviceIndex) { return 0; }
inline DeviceIndex MaybeExchangeDevice(DeviceIndex) { return 0; }
inline g2o::Error MaybeSetDevice(DeviceIndex) { return g2o::Error{}; }

// Everything is done when the call returns that asks for it.
class CUDAStream {
public:
    enum Unchecked { UNCHECKED };

    CUDAStream() = default;
    explicit CUDAStream(Stream) {}
    CUDAStream(Unchecked, Stream) {}

    operator g2o::Stream() const { return nullptr; }
    g2o::Stream stream() const { return nullptr; }
    bool operator==(const CUDAStream &) const { return true; }
    bool operator!=(const CUDAStream &) const { return false; }
    Stream unwrap() const { return Stream(Stream::DEFAULT, device()); }
    operator Stream() const { return unwrap(); }
    Device device() const { return Device(DeviceType::CPU); }
    DeviceType device_type() const { return DeviceType::CPU; }
    DeviceIndex device_index() const { return 0; }
    StreamId id() const { return 0; }
    int priority() const { return 0; }
    bool query() const { return true; }
    void synchronize() const {}
};

inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return {}; }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return {}; }
inline CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1) { return {}; }
inline CUDAStream getStreamFromExternal(g2o::Stream, DeviceIndex) { return {}; }
inline void setCurrentCUDAStream(CUDAStream) {}

// There is one device: nothing is set, and nothing has to be set back.
class CUDAGuard {
public:
    CUDAGuard() = delete;
    explicit CUDAGuard(DeviceIndex) {}
    explicit CUDAGuard(Device) {}
    CUDAGuard(const CUDAGuard &) = delete;
    CUDAGuard &operator=(const CUDAGuard &) = delete;
    ~CUDAGuard() {} // so that one that nobody names again is not unused

    void set_device(Device) {}
    void reset_device(Device) {}
    void set_index(DeviceIndex) {}
    Device original_device() const { return Device(DeviceType::CPU); }
    Device current_device() const { return Device(DeviceType::CPU); }
};

class OptionalCUDAGuard {
public:
    OptionalCUDAGuard() = default;
    explicit OptionalCUDAGuard(std::optional<Device>) {}
    explicit OptionalCUDAGuard(std::optional<DeviceIndex>) {}
    OptionalCUDAGuard(const OptionalCUDAGuard &) = delete;
    OptionalCUDAGuard &operator=(const OptionalCUDAGuard &) = delete;
    ~OptionalCUDAGuard() {}

    void set_device(Device) {}
    void reset_device(Device) {}
    void set_index(DeviceIndex) {}
    std::optional<Device> original_device() const { return Device(DeviceType::CPU); }
    std::optional<Device> current_device() const { return Device(DeviceType::CPU); }
    void reset() {}
};

class CUDAStreamGuard {
public:
    CUDAStreamGuard() = delete;
    explicit CUDAStreamGuard(Stream) {}
    CUDAStreamGuard(const CUDAStreamGuard &) = delete;
    CUDAStreamGuard &operator=(const CUDAStreamGuard &) = delete;
    ~CUDAStreamGuard() {}

    void reset_stream(Stream) {}
    CUDAStream original_stream() const { return {}; }
    CUDAStream current_stream() const { return {}; }
    Device current_device() const { return Device(DeviceType::CPU); }
    Device original_device() const { return Device(DeviceType::CPU); }
};

// Memory comes from PyTorch's allocator of the CPU.
namespace CUDACachingAllocator {

inline Allocator *get() { return GetAllocator(DeviceType::CPU); }
inline void *raw_alloc(std::size_t bytes) { return get()->raw_allocate(bytes); }
inline void *raw_alloc_with_stream(std::size_t bytes, g2o::Stream) { return raw_alloc(bytes); }
inline void raw_delete(void *memory) { get()->raw_deallocate(memory); }
inline void emptyCache() {}

} // namespace CUDACachingAllocator
} // namespace g2o_openmp
} // namespace c10::cuda

namespace at::cuda {
inline namespace g2o_openmp {

using namespace c10::cuda;

inline bool is_available() { return true; }
inline std::int64_t getNumGPUs() { return 1; }
inline int warp_size() { return 32; }

inline g2o::DeviceProp *getDeviceProperties(c10::DeviceIndex)
{
    static g2o::DeviceProp properties = [] {
        g2o::DeviceProp found;
        static_cast<void>(g2o::get_device_properties(&found, 0));
        return found;
    }();
    return &properties;
}
inline g2o::DeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(0); }

template <typename T> constexpr T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }

namespace detail {

constexpr int CUDA_NUM_THREADS = 1024;

// How many blocks have a thread for each of `count` elements.
inline int GET_BLOCKS(std::int64_t count, std::int64_t threads = CUDA_NUM_THREADS)
{
    TORCH_CHECK(count > 0, "CUDA kernel launch blocks must be positive, but got N=", count);
    return static_cast<int>((count - 1) / threads + 1);
}

#ifndef MAX_TENSORINFO_DIMS
#define MAX_TENSORINFO_DIMS 25
#endif

// Where a tensor is, and its shape, as kernels are given it.
template <typename T, typename Index> struct TensorInfo {
    T *data = nullptr;
    Index sizes[MAX_TENSORINFO_DIMS] = {};
    Index strides[MAX_TENSORINFO_DIMS] = {};
    int dims = 0;

    TensorInfo() = default;
    TensorInfo(T *values, int count, const Index *all_sizes, const Index *all_strides)
        : data(values), dims(count)
    {
        TORCH_CHECK(dims <= MAX_TENSORINFO_DIMS, "CUDA tensors cannot have more dimensions");
        for (int i = 0; i < dims; ++i) {
            sizes[i] = all_sizes[i];
            strides[i] = all_strides[i];
        }
    }
    void reduceDim(int dimension)
    {
        TORCH_CHECK(dimension >= 0 && dimension < dims, "not a dimension of the tensor");
        sizes[dimension] = 1;
    }
    constexpr bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};

// Where element number `index` of a tensor is; `Dims` are its dimensions, -1 as many as it has.
template <typename T, typename Index, int Dims> struct IndexToOffset {
    static constexpr Index get(Index index, const TensorInfo<T, Index> &info)
    {
        Index offset = 0;
        for (int i = (Dims == -1 ? info.dims : Dims) - 1; i > 0; --i) {
            offset += index % info.sizes[i] * info.strides[i];
            index /= info.sizes[i];
        }
        return offset + index * info.strides[0];
    }
};

template <typename T, typename Index, typename Tensor>
TensorInfo<T, Index> getTensorInfo(const Tensor &tensor)
{
    Index sizes[MAX_TENSORINFO_DIMS], strides[MAX_TENSORINFO_DIMS];
    const int dims = static_cast<int>(tensor.dim());
    for (int i = 0; i < dims && i < MAX_TENSORINFO_DIMS; ++i) {
        sizes[i] = static_cast<Index>(tensor.size(i));
        strides[i] = static_cast<Index>(tensor.stride(i));
    }
    return {tensor.template data_ptr<T>(), dims, sizes, strides};
}

// Has every element an offset that an int can hold?
template <typename Tensor>
bool canUse32BitIndexMath(const Tensor &tensor, std::int64_t largest = INT32_MAX)
{
    std::int64_t offset = 0;
    for (std::int64_t i = 0; i < tensor.dim(); ++i)
        offset += (tensor.size(i) - 1) * tensor.stride(i);
    return tensor.numel() == 0 || (tensor.numel() < largest && offset < largest);
}

} // namespace detail
} // namespace g2o_openmp
} // namespace at::cuda

namespace at {
inline namespace g2o_openmp {

// The limits of a type, and what no value of it is beyond.
template <typename T> struct numeric_limits {
    using Limits = std::numeric_limits<T>;
    static constexpr T lowest() { return Limits::lowest(); }
    static constexpr T max() { return Limits::max(); }
    static constexpr T lower_bound()
    {
        return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    }
    static constexpr T upper_bound()
    {
        return Limits::has_infinity ? Limits::infinity() : Limits::max();
    }
};

#if __has_include(<ATen/TensorUtils.h>)
// In place of checkAllSameGPU and checkSameGPU.
inline void checkAllSameCPU(CheckedFrom from, ArrayRef<TensorArg> tensors)
{
    for (const TensorArg &tensor : tensors)
        TORCH_CHECK(!tensor->defined() || tensor->is_cpu(), "Expected tensor for ", tensor,
                    " to be on the CPU (while checking arguments for ", from, ")");
}
inline void checkSameCPU(CheckedFrom from, const TensorArg &a, const TensorArg &b)
{
    checkAllSameCPU(from, {a, b});
}
#endif

} // namespace g2o_openmp
} // namespace at

// What is left of THC.
struct THCState;
// Behind one of the program's own, which newer versions of PyTorch are without.
template <typename T, typename... None> constexpr T THCCeilDiv(T a, T b, None...)
{
    return (a + b - 1) / b;
}

#pragma pop_macro("CUDA_NUM_THREADS")
#pragma pop_macro("GET_BLOCKS")

} // extern "C++"

#endif
