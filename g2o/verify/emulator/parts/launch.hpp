// Kernel launches. `k<<<g, b, s, st>>>(args)` is rewritten to
// `g2o_emulator::launch(g2o_emulator::configure(g, b, s, st), "k", [&](auto &...a) { k(a...);
// })(args)`.
#pragma once

#include "errors.hpp"
#include "execution.hpp"

#include <cstdint>
#include <functional>
#include <map>
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

// What a launch runs, where that is kept: one from a kernel runs when the grid that made it has
// ended, one of a graph whenever that does. No template, as there is one launch of each kind.
struct KeptLaunch {
    Config config;
    const char *name;
    KernelBody body;
    void *closure;
    void (*drop)(void *);

    KeptLaunch(const Config &c, const char *n, KernelBody b, void *data, void (*d)(void *))
        : config(c), name(n), body(b), closure(data), drop(d) {}
    KeptLaunch(const KeptLaunch &) = delete;
    KeptLaunch &operator=(const KeptLaunch &) = delete;
    ~KeptLaunch() { drop(closure); }
};
using Kept = std::shared_ptr<const KeptLaunch>;

inline std::vector<Kept> &pending_launches() {
    static auto &pending = *new std::vector<Kept>;
    return pending;
}

inline cudaError_t run_now(const Config &config, const char *name, KernelBody body,
                           const void *closure) {
    DeviceLock lock;
    run_grid(config, name, body, closure);
    while (!pending_launches().empty()) {
        std::vector<Kept> now;
        now.swap(pending_launches());
        for (const Kept &one : now)
            run_grid(one->config, one->name, one->body, one->closure);
    }
    return cudaSuccess;
}

inline cudaError_t run_kept(const Kept &kept) {
    if (!current_thread)
        return run_now(kept->config, kept->name, kept->body, kept->closure);
    pending_launches().push_back(kept);
    return cudaSuccess;
}

inline bool runs_later(const Config &config) {
    return is_captured(config.stream) || current_thread;
}

inline cudaError_t run_later(Config config, const char *name, KernelBody body, void *closure,
                             void (*drop)(void *)) {
    const cudaStream_t stream = std::exchange(config.stream, nullptr);
    const auto kept = std::make_shared<const KeptLaunch>(config, name, body, closure, drop);
    if (!is_captured(stream))
        return run_kept(kept);
    return capture(stream, cudaGraphNodeTypeKernel, [kept] { return run_kept(kept); });
}

// Run `closure()` once for every thread of the grid.
template <typename Closure>
cudaError_t launch_closure(const Config &config, const char *name, Closure closure) {
    if (cudaError_t error = check(config); error != cudaSuccess)
        return last_error() = error;
    const KernelBody body = [](const void *data) { (*static_cast<const Closure *>(data))(); };
    if (!runs_later(config))
        return run_now(config, name, body, &closure);
    const auto drop = [](void *data) { delete static_cast<Closure *>(data); };
    return run_later(config, name, body, new Closure(std::move(closure)), drop);
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

// The arguments of a launch: what a tuple is, for a fraction of what one takes to compile.
template <typename... T>
struct Held {
    template <typename Call, typename... Done>
    void pass_to(const Call &call, Done &...done) const {
        call(done...);
    }
};
template <typename T, typename... Rest>
struct Held<T, Rest...> {
    T one;
    Held<Rest...> rest;
    template <typename Call, typename... Done>
    void pass_to(const Call &call, Done &...done) const {
        rest.pass_to(call, done..., one.get());
    }
};

inline Held<> hold_all() { return {}; }
template <typename Argument, typename... Rest>
auto hold_all(Argument &&argument, Rest &&...rest)
    -> Held<decltype(hold(std::forward<Argument>(argument))),
            decltype(hold(std::forward<Rest>(rest)))...> {
    return {hold(std::forward<Argument>(argument)), hold_all(std::forward<Rest>(rest)...)};
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
        const Held<decltype(hold(std::forward<Arguments>(arguments)))...> held =
            hold_all(std::forward<Arguments>(arguments)...);
        launch_closure(config, name, [held, call = this->call] { held.pass_to(call); });
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
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2,
};
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4,
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    std::size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    cudaSynchronizationPolicy syncPolicy;
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
typedef cudaLaunchAttributeID cudaStreamAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
namespace g2o_emulator {
inline std::map<std::pair<cudaStream_t, int>, cudaLaunchAttributeValue> &stream_attributes() {
    static std::map<std::pair<cudaStream_t, int>, cudaLaunchAttributeValue> known;
    return known;
}
} // namespace g2o_emulator
inline cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                          const cudaStreamAttrValue *value) {
    g2o_emulator::stream_attributes()[{stream, int(attribute)}] = *value;
    return cudaSuccess;
}
inline cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                          cudaStreamAttrValue *value) {
    *value = g2o_emulator::stream_attributes()[{stream, int(attribute)}];
    return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
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
