// Kernel launches. `k<<<g, b, s, st>>>(args)` is rewritten to
// `g2o_emulator::launch(g2o_emulator::configure(g, b, s, st), "k", [&](auto &...a) { k(a...);
// })(args)`.
#pragma once

#include "errors.hpp"
#include "execution.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using cudaStream_t = CUstream_st *;
struct CUgraph_st;
struct CUgraphNode_st;

struct CUstream_st {
    unsigned flags;
    int priority;
    CUgraph_st *graph = nullptr;            // takes what is enqueued, while it is captured
    std::vector<CUgraphNode_st *> last = {}; // what the next node comes after
};

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
};

namespace g2o_emulator {

inline bool is_captured(cudaStream_t stream) {
    return reinterpret_cast<std::uintptr_t>(stream) > 2 && stream->graph;
}
cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type,
                    std::function<cudaError_t()> work);
// What is enqueued from now on comes after those nodes, too.
void capture_behind(cudaStream_t stream, CUgraph_st *graph,
                    const std::vector<CUgraphNode_st *> &nodes);

// Does work, or leaves it to the graph that the stream is captured into.
template <typename Work>
cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, Work work) {
    return is_captured(stream) ? capture(stream, type, std::move(work)) : work();
}
inline void not_captured(cudaStream_t stream, const char *what) {
    if (is_captured(stream))
        unsupported(what);
}

} // namespace g2o_emulator

namespace g2o_emulator {

constexpr unsigned max_threads_per_block = 1024;
constexpr std::size_t max_shared_bytes = 227 * 1024;

inline Config configure(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                        cudaStream_t stream = nullptr) {
    return {grid, block, shared_bytes, false, stream};
}

inline cudaError_t check(const Config &config) {
    auto empty = [](dim3 d) { return d.x == 0 || d.y == 0 || d.z == 0; };
    const dim3 &grid = config.grid, &block = config.block;
    bool fits = block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
                std::uint64_t{block.x} * block.y * block.z <= max_threads_per_block &&
                grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535;
    if (empty(grid) || empty(block) || !fits)
        return cudaErrorInvalidConfiguration;
    return config.shared_bytes > max_shared_bytes ? cudaErrorInvalidValue : cudaSuccess;
}

// A launch from a kernel; it runs when the grid that made it has ended.
struct PendingLaunch {
    virtual ~PendingLaunch() = default;
    virtual void run() = 0;
};
inline std::vector<std::unique_ptr<PendingLaunch>> &pending_launches() {
    static auto &pending = *new std::vector<std::unique_ptr<PendingLaunch>>;
    return pending;
}

inline void run_pending() {
    while (!pending_launches().empty()) {
        std::vector<std::unique_ptr<PendingLaunch>> now;
        now.swap(pending_launches());
        for (auto &launch : now)
            launch->run();
    }
}

template <typename Closure>
void run_closure(const Config &config, const char *name, const Closure &closure) {
    auto body = [](const void *data) { (*static_cast<const Closure *>(data))(); };
    run_grid(config, name, body, &closure);
}

template <typename Closure>
struct PendingClosure final : PendingLaunch {
    Config config;
    const char *name;
    Closure closure;

    PendingClosure(const Config &c, const char *n, Closure f)
        : config(c), name(n), closure(std::move(f)) {}
    void run() override { run_closure(config, name, closure); }
};

// Run `closure()` once for every thread of the grid.
template <typename Closure>
cudaError_t launch_closure(const Config &config, const char *name, Closure closure) {
    if (cudaError_t error = check(config); error != cudaSuccess) {
        last_error() = error;
        return error;
    }
    if (is_captured(config.stream)) {
        Config alone = config;
        alone.stream = nullptr;
        return capture(config.stream, cudaGraphNodeTypeKernel,
                       [=] { return launch_closure(alone, name, closure); });
    }
    if (current_thread) {
        pending_launches().push_back(
            std::make_unique<PendingClosure<Closure>>(config, name, std::move(closure)));
        return cudaSuccess;
    }
    DeviceLock lock;
    run_closure(config, name, closure);
    run_pending();
    return cudaSuccess;
}

// Stands for an argument that is written `0`: a number, or a null pointer where the kernel takes a
// pointer.
struct Zero {
    template <typename T>
    operator T() const {
        return T{};
    }
};
template <typename T>
T &&as_number(T &&argument) {
    return std::forward<T>(argument);
}
inline int as_number(Zero &&) { return 0; }

template <typename Call, typename Tuple, std::size_t... I>
void call_with(const Call &call, const Tuple &arguments, std::index_sequence<I...>) {
    call(std::get<I>(arguments)...);
}

// An argument while the threads run. The kernel may take what a conversion makes of it, and there
// are conversions of objects only that are not const.
template <typename T>
struct Copied {
    mutable T value;
    T &get() const { return value; }
};
template <typename T>
struct Referred {
    T *object;
    T &get() const { return *object; }
};

// A copy of what has a destructor may not exist, or frees the memory that it stands for.
template <typename T>
constexpr bool owns =
    std::is_class<std::remove_reference_t<T>>::value && std::is_lvalue_reference<T>::value &&
    !std::is_trivially_destructible<std::remove_reference_t<T>>::value;

template <typename Argument>
auto hold(Argument &&argument) {
    if constexpr (owns<Argument>)
        return Referred<std::remove_reference_t<Argument>>{std::addressof(argument)};
    else
        return Copied<std::decay_t<Argument>>{std::forward<Argument>(argument)};
}

// Calls the kernel with the arguments, which are evaluated once.
template <typename Call>
struct Launcher {
    Config config;
    const char *name;
    Call call;

    template <typename... Arguments>
    void operator()(Arguments &&...arguments) const {
        if constexpr ((std::is_same<std::decay_t<Arguments>, Zero>::value || ...) &&
                      std::is_invocable<const Call &, Number<Arguments> &...>::value)
            start(as_number(std::forward<Arguments>(arguments))...);
        else
            start(std::forward<Arguments>(arguments)...);
    }

  private:
    template <typename Argument>
    using Number = std::decay_t<decltype(as_number(std::declval<Argument>()))>;

    template <typename... Arguments>
    void start(Arguments &&...arguments) const {
        if ((owns<Arguments> || ...) && (current_thread || is_captured(config.stream)))
            unsupported("a later launch with an object that owns something");
        auto held = std::make_tuple(hold(std::forward<Arguments>(arguments))...);
        launch_closure(config, name, [held, call = this->call] {
            std::apply([&](const auto &...one) { call(one.get()...); }, held);
        });
    }
};

template <typename Call>
Launcher<Call> launch(const Config &config, const char *name, Call call) {
    return {config, name, call};
}

template <typename... P>
cudaError_t launch_with(const Config &config, void (*kernel)(P...), void **arguments) {
    std::tuple<std::decay_t<P>...> copies = [&] {
        std::size_t i = 0;
        (void)arguments;
        (void)i;
        return std::tuple<std::decay_t<P>...>{*static_cast<std::decay_t<P> *>(arguments[i++])...};
    }();
    return launch_closure(config, "cudaLaunchKernel", [copies, kernel] {
        call_with(kernel, copies, std::index_sequence_for<P...>{});
    });
}

} // namespace g2o_emulator

template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    return g2o_emulator::launch_with({grid, block, shared_bytes, false, stream}, kernel,
                                     arguments);
}
template <typename... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
    return g2o_emulator::launch_with({grid, block, shared_bytes, true, stream}, kernel, arguments);
}

// Launches with everything in a structure.
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8,
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    int priority;
    int programmaticStreamSerializationAllowed;
    struct {
        unsigned x, y, z;
    } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
};

namespace g2o_emulator {
inline Config config_of(const cudaLaunchConfig_t *config) {
    Config made{config->gridDim, config->blockDim, config->dynamicSmemBytes, false, config->stream};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute &one = config->attrs[i];
        if (one.id == cudaLaunchAttributeCooperative)
            made.cooperative = one.val.cooperative != 0;
    }
    return made;
}
} // namespace g2o_emulator

template <typename... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                void **arguments) {
    return g2o_emulator::launch_with(g2o_emulator::config_of(config), kernel, arguments);
}
template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                               A &&...arguments) {
    const std::tuple<std::decay_t<P>...> copies{std::forward<A>(arguments)...};
    return g2o_emulator::launch_closure(
        g2o_emulator::config_of(config), "cudaLaunchKernelEx", [copies, kernel] {
            g2o_emulator::call_with(kernel, copies, std::index_sequence_for<P...>{});
        });
}
