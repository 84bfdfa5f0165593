// As much of PyTorch's headers as small extensions need: what they call, and nothing that runs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>

#ifdef __CUDACC__
#include <cuda_fp16.h>
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_HOST_DEVICE __host__ __device__
#else
#define C10_HOST_DEVICE
#endif

namespace c10 {
enum class DeviceType : std::int8_t { CPU = 0, CUDA = 1 };
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
using DeviceIndex = std::int8_t;
using StreamId = std::int64_t;
struct Device {
    Device(DeviceType type, DeviceIndex = -1) : type_(type) {}
    DeviceType type() const { return type_; }
    bool is_cuda() const { return type_ == kCUDA; }
    bool is_cpu() const { return type_ == kCPU; }
    DeviceType type_;
};
struct Stream {
    enum Default { DEFAULT };
    Stream(Default, Device) {}
};
struct Half {
    unsigned short x = 0;
    Half() = default;
    C10_HOST_DEVICE Half(float value) : x(static_cast<unsigned short>(value)) {}
    C10_HOST_DEVICE operator float() const { return x; }
#ifdef __CUDACC__
    C10_HOST_DEVICE Half(const __half &half) { x = reinterpret_cast<const unsigned short &>(half); }
    C10_HOST_DEVICE operator __half() const { return reinterpret_cast<const __half &>(x); }
#endif
};
C10_HOST_DEVICE inline Half operator+(const Half &a, const Half &b) { return float(a) + float(b); }
C10_HOST_DEVICE inline Half operator*(const Half &a, const Half &b) { return float(a) * float(b); }
C10_HOST_DEVICE inline float operator*(Half a, float b) { return float(a) * b; }
C10_HOST_DEVICE inline Half &operator+=(Half &a, const Half &b) { return a = a + b; }
struct BFloat16 : Half {
    using Half::Half;
};
struct Allocator {
    void *raw_allocate(std::size_t bytes);
    void raw_deallocate(void *memory);
};
Allocator *GetAllocator(DeviceType);
enum class ScalarType { Float, Double };
constexpr ScalarType kFloat = ScalarType::Float;
constexpr ScalarType kDouble = ScalarType::Double;
} // namespace c10

namespace torch::headeronly {
template <typename T> struct DefaultPtrTraits {
    typedef T *PtrType;
};
#ifdef __CUDACC__
template <typename T> struct RestrictPtrTraits {
    typedef T *__restrict__ PtrType;
};
#endif
namespace detail {
template <class T, std::size_t N, template <typename> class PtrTraits, typename index_t>
struct TensorAccessor {
    typename PtrTraits<T>::PtrType data_;
    const index_t *sizes_;
    const index_t *strides_;
    C10_HOST_DEVICE auto operator[](index_t i) const
    {
        return TensorAccessor<T, N - 1, PtrTraits, index_t>{data_ + strides_[0] * i, sizes_ + 1,
                                                            strides_ + 1};
    }
    C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
};
template <class T, template <typename> class PtrTraits, typename index_t>
struct TensorAccessor<T, 1, PtrTraits, index_t> {
    typename PtrTraits<T>::PtrType data_;
    const index_t *sizes_;
    const index_t *strides_;
    C10_HOST_DEVICE T &operator[](index_t i) const { return data_[strides_[0] * i]; }
    C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
};
template <class T, std::size_t N, template <typename> class PtrTraits, typename index_t>
struct GenericPackedTensorAccessor {
    typename PtrTraits<T>::PtrType data_;
    index_t sizes_[N];
    index_t strides_[N];
    C10_HOST_DEVICE auto operator[](index_t i) const
    {
        return TensorAccessor<T, N - 1, PtrTraits, index_t>{data_ + strides_[0] * i, sizes_ + 1,
                                                            strides_ + 1};
    }
    C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
    C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
};
template <class T, template <typename> class PtrTraits, typename index_t>
struct GenericPackedTensorAccessor<T, 1, PtrTraits, index_t> {
    typename PtrTraits<T>::PtrType data_;
    index_t sizes_[1];
    index_t strides_[1];
    C10_HOST_DEVICE T &operator[](index_t i) const { return data_[strides_[0] * i]; }
    C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
    C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
};
} // namespace detail
} // namespace torch::headeronly

namespace at {
using namespace c10;
using torch::headeronly::DefaultPtrTraits;
#ifdef __CUDACC__
using torch::headeronly::RestrictPtrTraits;
#endif
template <typename T, std::size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 =
    torch::headeronly::detail::GenericPackedTensorAccessor<T, N, PtrTraits, std::int32_t>;

struct TensorOptions {
    TensorOptions device(Device) const { return *this; }
    TensorOptions device(DeviceType, DeviceIndex) const { return *this; }
    TensorOptions dtype(ScalarType type) const { return {type}; }
    ScalarType type = kFloat;
};
class Tensor {
public:
    bool is_cuda() const { return false; }
    bool is_cpu() const { return true; }
    bool is_contiguous() const { return true; }
    Device device() const { return Device(kCPU); }
    DeviceIndex get_device() const { return -1; }
    TensorOptions options() const { return {type_}; }
    ScalarType scalar_type() const { return type_; }
    std::int64_t dim() const { return dimensions_; }
    std::int64_t size(std::int64_t i) const { return sizes_[i]; }
    std::int64_t stride(std::int64_t i) const
    {
        return i + 1 < dimensions_ ? sizes_[i + 1] * stride(i + 1) : 1;
    }
    std::int64_t numel() const
    {
        std::int64_t product = 1;
        for (std::int64_t i = 0; i < dimensions_; ++i)
            product *= sizes_[i];
        return product;
    }
    template <typename T> T *data_ptr() const { return static_cast<T *>(data_); }
    template <typename T, std::size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
    PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const
    {
        PackedTensorAccessor32<T, N, PtrTraits> found{data_ptr<T>(), {}, {}};
        std::int32_t stride = 1;
        for (std::size_t i = N; i-- > 0; stride *= found.sizes_[i]) {
            found.sizes_[i] = static_cast<std::int32_t>(sizes_[i]);
            found.strides_[i] = stride;
        }
        return found;
    }
    void *data_ = nullptr;
    ScalarType type_ = kFloat;
    std::int64_t sizes_[5] = {};
    std::int64_t dimensions_ = 0;
};
inline Tensor zeros(std::initializer_list<std::int64_t> sizes, TensorOptions options)
{
    Tensor made;
    made.type_ = options.type;
    for (std::int64_t size : sizes)
        made.sizes_[made.dimensions_++] = size;
    const std::size_t count = static_cast<std::size_t>(made.numel());
    made.data_ = options.type == kFloat ? static_cast<void *>(new float[count]())
                                        : static_cast<void *>(new double[count]());
    return made;
}
} // namespace at

#define TORCH_CHECK(condition, ...)                                                                \
    if (!(condition))                                                                              \
    throw std::runtime_error(#condition)
#define TORCH_WARN(...) static_cast<void>(0)
#define AT_DISPATCH_CASE(type, T, ...)                                                             \
    case type: {                                                                                   \
        using scalar_t = T;                                                                        \
        __VA_ARGS__();                                                                             \
        break;                                                                                     \
    }
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                \
    [&] {                                                                                          \
        switch (TYPE) {                                                                            \
            AT_DISPATCH_CASE(at::kFloat, float, __VA_ARGS__)                                       \
            AT_DISPATCH_CASE(at::kDouble, double, __VA_ARGS__)                                     \
        }                                                                                          \
    }()
