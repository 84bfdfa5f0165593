// g2o_launches.hpp: attributes of kernels, occupancy, launches by address.
#ifndef G2O_LAUNCHES_HPP
#define G2O_LAUNCHES_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "g2o_devices.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("A")
#undef A
#pragma push_macro("F")
#undef F
#pragma push_macro("G")
#undef G
#pragma push_macro("I")
#undef I
#pragma push_macro("P")
#undef P

namespace g2o {

namespace types {

enum SharedCarveout {
    SharedmemCarveoutDefault = -1,
    SharedmemCarveoutMaxL1 = 0,
    SharedmemCarveoutMaxShared = 100
};

enum FuncAttribute {
    FuncAttributeMaxDynamicSharedMemorySize = 8,
    FuncAttributePreferredSharedMemoryCarveout = 9
};

constexpr unsigned OccupancyDefault = 0, OccupancyDisableCachingOverride = 1;

enum LaunchAttributeID {
    LaunchAttributeIgnore = 0,
    LaunchAttributeAccessPolicyWindow = 1,
    LaunchAttributeCooperative = 2,
    LaunchAttributeSynchronizationPolicy = 3,
    LaunchAttributeClusterDimension = 4,
    LaunchAttributeProgrammaticStreamSerialization = 6,
    LaunchAttributePriority = 8,
};

enum AccessProperty {
    AccessPropertyNormal = 0,
    AccessPropertyStreaming = 1,
    AccessPropertyPersisting = 2,
};

enum SynchronizationPolicy {
    SyncPolicyAuto = 1,
    SyncPolicySpin = 2,
    SyncPolicyYield = 3,
    SyncPolicyBlockingSync = 4,
};

struct AccessPolicyWindow {
    void *base_ptr;
    std::size_t num_bytes;
    float hitRatio;
    AccessProperty hitProp, missProp;
};

union LaunchAttributeValue {
    char pad[64];
    AccessPolicyWindow accessPolicyWindow;
    SynchronizationPolicy syncPolicy;
    int cooperative;
    int priority;
    int programmaticStreamSerializationAllowed;
    struct {
        unsigned x, y, z;
    } clusterDim;
};

struct LaunchAttribute {
    LaunchAttributeID id;
    LaunchAttributeValue val;
};

using StreamAttrID = LaunchAttributeID;
using StreamAttrValue = LaunchAttributeValue;
constexpr LaunchAttributeID StreamAttributeAccessPolicyWindow = LaunchAttributeAccessPolicyWindow;
constexpr LaunchAttributeID StreamAttributeSynchronizationPolicy =
    LaunchAttributeSynchronizationPolicy;
constexpr LaunchAttributeID StreamAttributePriority = LaunchAttributePriority;

struct LaunchConfig {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    Stream stream = nullptr;
    LaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
};

struct FuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

} // namespace types

// Attributes are hints about a device's caches and scheduling: they are kept, and change nothing.
namespace detail {

inline std::map<std::pair<Stream, int>, StreamAttrValue> &stream_attributes()
{
    static std::map<std::pair<Stream, int>, StreamAttrValue> known;
    return known;
}

inline std::mutex &stream_attributes_mutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace detail

inline Error stream_set_attribute(Stream stream, StreamAttrID attribute,
                                  const StreamAttrValue *value)
{
    if (value == nullptr)
        return detail::report(ErrorInvalidValue);
    const std::lock_guard<std::mutex> lock(detail::stream_attributes_mutex());
    detail::stream_attributes()[{stream, int(attribute)}] = *value;
    return Success;
}

inline Error stream_get_attribute(Stream stream, StreamAttrID attribute, StreamAttrValue *value)
{
    if (value == nullptr)
        return detail::report(ErrorInvalidValue);
    const std::lock_guard<std::mutex> lock(detail::stream_attributes_mutex());
    *value = detail::stream_attributes()[{stream, int(attribute)}];
    return Success;
}

inline Error ctx_reset_persisting_l2_cache()
{
    return Success;
}

template <class F> Error func_set_cache_config(F /*kernel*/, FuncCache /*config*/)
{
    return Success;
}

template <class F> Error func_set_shared_mem_config(F /*kernel*/, SharedMemConfig /*config*/)
{
    return Success;
}

template <class F>
Error func_set_attribute(F /*kernel*/, FuncAttribute /*attribute*/, int /*value*/)
{
    return Success;
}

template <class F> Error func_get_attributes(FuncAttributes *attributes, F /*kernel*/)
{
    const DeviceProp &cpu = detail::cpu();
    *attributes = {};
    attributes->maxThreadsPerBlock = cpu.maxThreadsPerBlock;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 10 * cpu.major + cpu.minor;
    attributes->maxDynamicSharedSizeBytes = int(cpu.sharedMemPerBlock);
    return Success;
}

// How many blocks the described device keeps resident on one multiprocessor.
template <class F>
Error occupancy_max_active_blocks_per_multiprocessor(int *blocks, F /*kernel*/, int block_size,
                                                     std::size_t shared_bytes)
{
    *blocks = 0;
    const DeviceProp &cpu = detail::cpu();
    if (block_size <= 0 || shared_bytes > cpu.sharedMemPerBlockOptin)
        return detail::report(ErrorInvalidValue);
    std::size_t limit = std::size_t(cpu.maxBlocksPerMultiProcessor);
    limit = std::min(limit, std::size_t(cpu.maxThreadsPerMultiProcessor / block_size));
    if (shared_bytes > 0)
        limit = std::min(limit, cpu.sharedMemPerMultiprocessor / shared_bytes);
    *blocks = int(limit);
    return Success;
}

template <class F>
Error occupancy_max_active_blocks_per_multiprocessor_with_flags(int *blocks, F kernel,
                                                                int block_size,
                                                                std::size_t shared_bytes,
                                                                unsigned /*flags*/)
{
    return occupancy_max_active_blocks_per_multiprocessor(blocks, kernel, block_size, shared_bytes);
}

// Blocks that are large enough to vectorise, and enough of them to balance the processors.
template <class F>
Error occupancy_max_potential_block_size(int *grid_size, int *block_size, F kernel,
                                         std::size_t shared_bytes = 0, int block_size_limit = 0)
{
    *block_size = block_size_limit > 0 ? std::min(256, block_size_limit) : 256;
    const Error error = occupancy_max_active_blocks_per_multiprocessor(grid_size, kernel,
                                                                       *block_size, shared_bytes);
    if (error == Success)
        *grid_size *= detail::cpu().multiProcessorCount;
    return error;
}

template <class F>
Error occupancy_max_potential_block_size_with_flags(int *grid_size, int *block_size, F kernel,
                                                    std::size_t shared_bytes = 0,
                                                    int block_size_limit = 0,
                                                    unsigned /*flags*/ = 0)
{
    return occupancy_max_potential_block_size(grid_size, block_size, kernel, shared_bytes,
                                              block_size_limit);
}

// `bytes_of` gives the shared memory of a block of a size.
template <class F, class G>
Error occupancy_max_potential_block_size_variable_smem(int *grid_size, int *block_size, F kernel,
                                                       G /*bytes_of*/, int block_size_limit = 0)
{
    return occupancy_max_potential_block_size(grid_size, block_size, kernel, 0, block_size_limit);
}

template <class F>
Error occupancy_available_dynamic_smem_per_block(std::size_t *bytes, F /*kernel*/, int blocks,
                                                 int /*block_size*/)
{
    *bytes = detail::cpu().sharedMemPerMultiprocessor / std::size_t(std::max(1, blocks));
    return Success;
}

namespace detail {

template <class P> std::remove_reference_t<P> &launch_argument(void *argument)
{
    return *static_cast<std::remove_cv_t<std::remove_reference_t<P>> *>(argument);
}

template <class... P, std::size_t... I>
Error launch_unpacked(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, void **arguments,
                      std::index_sequence<I...>)
{
    if (!is_launchable(grid, block))
        return report(ErrorInvalidConfiguration);
    kernel(grid, block, launch_argument<P>(arguments[I])...);
    return Success;
}

template <class... P, std::size_t... I>
Error launch_unpacked_shared(void (*kernel)(dim3, dim3, std::size_t, P...), dim3 grid, dim3 block,
                             std::size_t shared_bytes, void **arguments, std::index_sequence<I...>)
{
    if (!is_launchable(grid, block))
        return report(ErrorInvalidConfiguration);
    kernel(grid, block, shared_bytes, launch_argument<P>(arguments[I])...);
    return Success;
}

} // namespace detail

// Launches a kernel without dynamic shared memory: `arguments` points to one argument after
// another.
template <class... P>
Error launch_static_kernel(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block,
                           void **arguments, std::size_t /*shared_bytes*/ = 0,
                           Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaLaunchKernel");
    return detail::launch_unpacked(kernel, grid, block, arguments, std::index_sequence_for<P...>());
}

template <class... P>
Error launch_kernel(void (*kernel)(dim3, dim3, P...), dim3 grid, dim3 block, void **arguments,
                    std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_static_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// The same for a kernel with dynamic shared memory. The types cannot tell it from a kernel without,
// whose own first parameter is a std::size_t: that one is launched as without_shared(kernel).
template <class... P>
Error launch_kernel(void (*kernel)(dim3, dim3, std::size_t, P...), dim3 grid, dim3 block,
                    void **arguments, std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaLaunchKernel");
    return detail::launch_unpacked_shared(kernel, grid, block, shared_bytes, arguments,
                                          std::index_sequence_for<P...>());
}

template <class... P> struct StaticKernel {
    void (*function)(dim3, dim3, P...);
};

template <class... P> StaticKernel<P...> without_shared(void (*kernel)(dim3, dim3, P...))
{
    return {kernel};
}

template <class... P>
Error launch_kernel(StaticKernel<P...> kernel, dim3 grid, dim3 block, void **arguments,
                    std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_static_kernel(kernel.function, grid, block, arguments, shared_bytes, stream);
}

template <class... P>
Error launch_cooperative_kernel(StaticKernel<P...> kernel, dim3 grid, dim3 block, void **arguments,
                                std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

namespace detail {

// A kernel whose type nobody sees, behind the `void *` that a program has of it.
struct AnyKernel {
    virtual ~AnyKernel() = default;
    // Copies of the arguments, and the places of those.
    virtual std::shared_ptr<void> copied(void **arguments, std::vector<void *> &places) const = 0;
    virtual Error run(dim3 grid, dim3 block, std::size_t shared_bytes, void **arguments) const = 0;
};

template <class Function, class... P> struct KernelOf final : AnyKernel {
    explicit KernelOf(Function kernel) : function(kernel) {}
    std::shared_ptr<void> copied(void **arguments, std::vector<void *> &places) const override
    {
        return copied(arguments, places, std::index_sequence_for<P...>());
    }
    template <std::size_t... I>
    std::shared_ptr<void> copied([[maybe_unused]] void **arguments, std::vector<void *> &places,
                                 std::index_sequence<I...>) const
    {
        const auto values =
            std::make_shared<std::tuple<std::decay_t<P>...>>(launch_argument<P>(arguments[I])...);
        places = {static_cast<void *>(&std::get<I>(*values))...};
        return values;
    }
    Error run(dim3 grid, dim3 block, [[maybe_unused]] std::size_t shared_bytes,
              void **arguments) const override
    {
        if constexpr (std::is_invocable_v<Function, dim3, dim3, P...>)
            return launch_unpacked(function, grid, block, arguments,
                                   std::index_sequence_for<P...>());
        else
            return launch_unpacked_shared(function, grid, block, shared_bytes, arguments,
                                          std::index_sequence_for<P...>());
    }
    Function function;
};

inline std::unordered_map<const void *, std::unique_ptr<AnyKernel>> &kernel_handles()
{
    static std::unordered_map<const void *, std::unique_ptr<AnyKernel>> handles;
    return handles;
}

inline std::mutex &kernel_handles_lock()
{
    static std::mutex lock;
    return lock;
}

[[noreturn]] inline void unknown_kernel()
{
    std::fputs("g2o: cudaLaunchKernel of a 'void *' that no kernel was cast to\n", stderr);
    std::abort();
}

inline const AnyKernel *kernel_behind(const void *handle)
{
    const std::lock_guard<std::mutex> guard(kernel_handles_lock());
    for (const auto &known : kernel_handles())
        if (known.second.get() == handle)
            return known.second.get();
    return nullptr;
}

template <class... P, class Function> void *handle_of(Function function)
{
    const std::lock_guard<std::mutex> guard(kernel_handles_lock());
    auto &handle = kernel_handles()[reinterpret_cast<const void *>(function)];
    if (handle == nullptr)
        handle = std::make_unique<KernelOf<Function, P...>>(function);
    return handle.get();
}

} // namespace detail

// What a program keeps of a kernel as `void *`: the same each time.
template <class... P> void *kernel_handle(void (*kernel)(dim3, dim3, P...))
{
    return detail::handle_of<P...>(kernel);
}
template <class... P> void *kernel_handle(void (*kernel)(dim3, dim3, std::size_t, P...))
{
    return detail::handle_of<P...>(kernel);
}
template <class... P> void *kernel_handle(StaticKernel<P...> kernel)
{
    return detail::handle_of<P...>(kernel.function);
}

// Launches a kernel that is known by its handle alone.
inline Error launch_kernel(const void *handle, dim3 grid, dim3 block, void **arguments,
                           std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    detail::not_captured(stream, "cudaLaunchKernel");
    const detail::AnyKernel *const kernel = detail::kernel_behind(handle);
    if (kernel == nullptr)
        detail::unknown_kernel();
    return kernel->run(grid, block, shared_bytes, arguments);
}

// Launches with everything in a structure. Attributes are hints here: a kernel that synchronises
// its grid is a function as others are, and clusters of blocks that nobody asks for do not show.
template <class Kernel>
Error launch_kernel_ex_c(const LaunchConfig *config, Kernel kernel, void **arguments)
{
    return launch_kernel(kernel, config->gridDim, config->blockDim, arguments,
                         config->dynamicSmemBytes, config->stream);
}

template <class... P, class... A>
std::enable_if_t<sizeof...(P) == sizeof...(A), Error>
launch_kernel_ex(const LaunchConfig *config, void (*kernel)(dim3, dim3, P...), A &&...arguments)
{
    detail::not_captured(config->stream, "cudaLaunchKernelEx");
    if (!detail::is_launchable(config->gridDim, config->blockDim))
        return detail::report(ErrorInvalidConfiguration);
    kernel(config->gridDim, config->blockDim, std::forward<A>(arguments)...);
    return Success;
}

// The same for a kernel with dynamic shared memory, which the number of arguments tells.
template <class... P, class... A>
std::enable_if_t<sizeof...(P) == sizeof...(A), Error>
launch_kernel_ex(const LaunchConfig *config, void (*kernel)(dim3, dim3, std::size_t, P...),
                 A &&...arguments)
{
    detail::not_captured(config->stream, "cudaLaunchKernelEx");
    if (!detail::is_launchable(config->gridDim, config->blockDim))
        return detail::report(ErrorInvalidConfiguration);
    kernel(config->gridDim, config->blockDim, config->dynamicSmemBytes,
           std::forward<A>(arguments)...);
    return Success;
}

// A kernel that synchronises its grid became one function as well.
template <class Kernel>
Error launch_cooperative_kernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                std::size_t shared_bytes = 0, Stream stream = nullptr)
{
    return launch_kernel(kernel, grid, block, arguments, shared_bytes, stream);
}

} // namespace g2o

#pragma pop_macro("A")
#pragma pop_macro("F")
#pragma pop_macro("G")
#pragma pop_macro("I")
#pragma pop_macro("P")

} // extern "C++"

#endif // G2O_LAUNCHES_HPP
