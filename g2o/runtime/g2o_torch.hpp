// g2o_torch.hpp: what extensions of PyTorch that g2o has translated from CUDA use of ATen/cuda,
// c10/cuda and THC. The names are PyTorch's own.
//
// The "device" is the CPU, so that tensors are on the CPU: streams and guards have nothing to do.
// It builds with any PyTorch, also one without CUDA, none of whose headers for CUDA it includes.
#ifndef G2O_TORCH_HPP
#define G2O_TORCH_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

#include <ATen/ATen.h>

#include "g2o_devices.hpp"
#include "g2o_runtime.hpp"

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

template <typename T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }

namespace detail {

constexpr int CUDA_NUM_THREADS = 1024;

// How many blocks have a thread for each of `count` elements.
inline int GET_BLOCKS(std::int64_t count, std::int64_t threads = CUDA_NUM_THREADS)
{
    TORCH_CHECK(count > 0, "CUDA kernel launch blocks must be positive, but got N=", count);
    return static_cast<int>((count - 1) / threads + 1);
}

} // namespace detail
} // namespace g2o_openmp
} // namespace at::cuda

// What is left of THC.
struct THCState;
template <typename T> T THCCeilDiv(T a, T b) { return (a + b - 1) / b; }

#endif
