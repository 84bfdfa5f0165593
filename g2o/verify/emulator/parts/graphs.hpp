// Graphs: nodes with what they come after, made one by one or captured from streams.
//
// An instance is a copy. It runs the nodes that nothing is left in front of, the one that was added
// last first: programs that rely on an order which they do not state show it.
#pragma once

#include "errors.hpp"
#include "execution.hpp"
#include "launch.hpp"
#include "memory.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

using cudaGraph_t = CUgraph_st *;
using cudaGraphNode_t = CUgraphNode_st *;

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2,
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
};
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams;
    void **extra;
};
struct cudaMemsetParams {
    void *dst;
    std::size_t pitch;
    unsigned value, elementSize;
    std::size_t width, height;
};
struct cudaHostNodeParams {
    void (*fn)(void *);
    void *userData;
};

// The parameters are those of its type; a captured node only has its work.
struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::vector<cudaGraphNode_t> before = {};
    std::function<cudaError_t()> work = {};
    cudaKernelNodeParams kernel = {};
    std::shared_ptr<std::vector<void *>> arguments = {}; // copies
    cudaMemcpy3DParms copy = {};
    cudaMemsetParams fill = {};
    cudaHostNodeParams host = {};
};
struct CUgraph_st {
    std::vector<cudaGraphNode_t> nodes = {};
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies = {}; // by what they are copies of
    std::vector<cudaStream_t> streams = {}; // that are captured
};
struct CUgraphExec_st {
    cudaGraph_t graph;
};
using cudaGraphExec_t = CUgraphExec_st *;

namespace g2o_emulator {

// ---- kernels behind `void *` -------------------------------------------------------------------

struct ErasedKernel {
    std::function<std::shared_ptr<std::vector<void *>>(void **)> copied;
    std::function<cudaError_t(const Config &, void **)> launched;
};
inline std::map<void *, ErasedKernel> &erased_kernels() {
    static auto &known = *new std::map<void *, ErasedKernel>;
    return known;
}

template <typename... P>
std::shared_ptr<std::vector<void *>> copies_of(void **arguments) {
    std::size_t next = 0;
    (void)next;
    (void)arguments;
    auto *values = new std::tuple<std::decay_t<P>...>{
        *static_cast<std::decay_t<P> *>(arguments[next++])...};
    auto *places = new std::vector<void *>;
    std::apply([&](auto &...value) { (places->push_back(&value), ...); }, *values);
    return std::shared_ptr<std::vector<void *>>(places, [values](std::vector<void *> *p) {
        delete p;
        delete values;
    });
}

struct AsVoid {
    template <typename... P> void *operator->*(void (*kernel)(P...)) const {
        void *address = reinterpret_cast<void *>(kernel);
        erased_kernels()[address] = {copies_of<P...>,
                                     [kernel](const Config &config, void **arguments) {
                                         return launch_with(config, kernel, arguments);
                                     }};
        return address;
    }
    template <typename T> void *operator->*(T *pointer) const {
        return const_cast<std::remove_const_t<T> *>(pointer);
    }
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    void *operator->*(T number) const {
        return reinterpret_cast<void *>(std::uintptr_t(number));
    }
};
constexpr AsVoid as_void{};

// ---- nodes -------------------------------------------------------------------------------------

inline cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNodeType type,
                           const cudaGraphNode_t *before, std::size_t count) {
    auto *node = new CUgraphNode_st{type};
    node->before.assign(before, before + count);
    graph->nodes.push_back(node);
    return node;
}

inline cudaError_t run(cudaGraph_t graph);

inline cudaError_t run(const CUgraphNode_st &node) {
    if (node.work)
        return node.work();
    switch (node.type) {
    case cudaGraphNodeTypeKernel:
        return erased_kernels().at(node.kernel.func).launched(
            {node.kernel.gridDim, node.kernel.blockDim, node.kernel.sharedMemBytes, false, nullptr},
            node.arguments->data());
    case cudaGraphNodeTypeMemcpy:
        return cudaMemcpy3D(&node.copy);
    case cudaGraphNodeTypeMemset:
        for (std::size_t i = 0; i < node.fill.width * node.fill.height; ++i) {
            const std::size_t x = i % node.fill.width, y = i / node.fill.width;
            char *to = static_cast<char *>(node.fill.dst) + y * node.fill.pitch;
            for (unsigned byte = 0; byte < node.fill.elementSize; ++byte)
                to[x * node.fill.elementSize + byte] = char(node.fill.value >> 8 * byte);
        }
        return cudaSuccess;
    case cudaGraphNodeTypeHost:
        node.host.fn(node.host.userData);
        return cudaSuccess;
    default:
        return cudaSuccess;
    }
}

// Nodes in an order that they allow; fewer where some wait for each other.
inline std::vector<cudaGraphNode_t> ordered(const CUgraph_st &graph) {
    std::vector<cudaGraphNode_t> done, left = graph.nodes;
    auto is_done = [&](cudaGraphNode_t n) {
        return std::find(done.begin(), done.end(), n) != done.end();
    };
    for (bool found = true; found;) {
        found = false;
        for (std::size_t i = left.size(); i-- > 0 && !found;) {
            const auto &before = left[i]->before;
            if (!std::all_of(before.begin(), before.end(), is_done))
                continue;
            done.push_back(left[i]);
            left.erase(left.begin() + std::ptrdiff_t(i));
            found = true;
        }
    }
    return done;
}

inline cudaError_t run(cudaGraph_t graph) {
    for (cudaGraphNode_t node : ordered(*graph))
        if (cudaError_t error = run(*node))
            return error;
    return cudaSuccess;
}

inline cudaGraph_t copy_of(const CUgraph_st &graph) {
    auto *made = new CUgraph_st;
    for (cudaGraphNode_t node : graph.nodes) {
        auto *copy = new CUgraphNode_st(*node);
        if (node->type == cudaGraphNodeTypeKernel && !node->work)
            copy->arguments =
                erased_kernels().at(node->kernel.func).copied(node->arguments->data());
        made->nodes.push_back(copy);
        made->copies[node] = copy;
    }
    for (cudaGraphNode_t copy : made->nodes)
        for (cudaGraphNode_t &other : copy->before)
            other = made->copies.at(other);
    return made;
}

inline cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type,
                           std::function<cudaError_t()> work) {
    cudaGraphNode_t node = add(stream->graph, type, stream->last.data(), stream->last.size());
    node->work = std::move(work);
    stream->last = {node};
    return cudaSuccess;
}

inline void capture_behind(cudaStream_t stream, cudaGraph_t graph,
                           const std::vector<cudaGraphNode_t> &nodes) {
    if (stream->graph != graph) {
        stream->graph = graph;
        stream->last.clear();
        graph->streams.push_back(stream);
    }
    stream->last.insert(stream->last.end(), nodes.begin(), nodes.end());
}

inline cudaError_t set(cudaGraphNode_t node, const cudaKernelNodeParams &given) {
    auto known = erased_kernels().find(given.func);
    if (known == erased_kernels().end())
        return status(cudaErrorInvalidDeviceFunction);
    if (cudaError_t error = check({given.gridDim, given.blockDim, given.sharedMemBytes}))
        return status(error);
    auto arguments = known->second.copied(given.kernelParams);
    node->kernel = given;
    node->arguments = arguments;
    node->kernel.kernelParams = arguments->data();
    return cudaSuccess;
}
inline cudaError_t set(cudaGraphNode_t node, const cudaMemcpy3DParms &given) {
    node->copy = given;
    return cudaSuccess;
}
inline cudaError_t set(cudaGraphNode_t node, const cudaMemsetParams &given) {
    node->fill = given;
    return cudaSuccess;
}
inline cudaError_t set(cudaGraphNode_t node, const cudaHostNodeParams &given) {
    node->host = given;
    return cudaSuccess;
}
template <typename Params>
cudaError_t set_in(cudaGraphExec_t instance, cudaGraphNode_t node, const Params &given) {
    auto found = instance->graph->copies.find(node);
    return found == instance->graph->copies.end() ? status(cudaErrorInvalidValue)
                                                  : set(found->second, given);
}
template <typename Params>
cudaError_t add_with(cudaGraphNode_t *node, cudaGraph_t graph, cudaGraphNodeType type,
                     const cudaGraphNode_t *before, std::size_t count, const Params &given) {
    CUgraphNode_st made{type};
    if (cudaError_t error = set(&made, given))
        return error;
    *node = add(graph, type, before, count);
    return set(*node, given);
}
inline cudaMemcpy3DParms linear(void *to, const void *from, std::size_t bytes,
                                cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = {const_cast<void *>(from), bytes, bytes, 1};
    copy.dstPtr = {to, bytes, bytes, 1};
    copy.extent = {bytes, 1, 1};
    copy.kind = kind;
    return copy;
}

} // namespace g2o_emulator

// ---- capture -----------------------------------------------------------------------------------

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    if (reinterpret_cast<std::uintptr_t>(stream) <= 2 || stream->graph)
        return g2o_emulator::status(cudaErrorInvalidValue);
    g2o_emulator::capture_behind(stream, new CUgraph_st, {});
    return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    if (!g2o_emulator::is_captured(stream))
        return g2o_emulator::status(cudaErrorInvalidValue);
    *graph = stream->graph;
    for (cudaStream_t captured : std::exchange((*graph)->streams, {}))
        captured->graph = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    *status = g2o_emulator::is_captured(stream) ? cudaStreamCaptureStatusActive
                                                : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

// ---- graphs ------------------------------------------------------------------------------------

inline cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned = 0) {
    *graph = new CUgraph_st;
    return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    for (cudaGraphNode_t node : graph->nodes)
        delete node;
    delete graph;
    return cudaSuccess;
}
inline cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
    *clone = g2o_emulator::copy_of(*graph);
    return cudaSuccess;
}
inline cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                            cudaGraph_t clone) {
    auto found = clone->copies.find(original);
    if (found == clone->copies.end())
        return g2o_emulator::status(cudaErrorInvalidValue);
    *node = found->second;
    return cudaSuccess;
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        to[i]->before.push_back(from[i]);
    return cudaSuccess;
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        auto &before = to[i]->before;
        before.erase(std::remove(before.begin(), before.end(), from[i]), before.end());
    }
    return cudaSuccess;
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                     std::size_t *count) {
    for (std::size_t i = 0; nodes && i < std::min(*count, graph->nodes.size()); ++i)
        nodes[i] = graph->nodes[i];
    *count = graph->nodes.size();
    return cudaSuccess;
}
inline cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                         std::size_t *count) {
    std::vector<cudaGraphNode_t> roots;
    for (cudaGraphNode_t node : graph->nodes)
        if (node->before.empty())
            roots.push_back(node);
    for (std::size_t i = 0; nodes && i < std::min(*count, roots.size()); ++i)
        nodes[i] = roots[i];
    *count = roots.size();
    return cudaSuccess;
}
inline cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
    *type = node->type;
    return cudaSuccess;
}

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph,
                                        unsigned long long = 0) {
    if (g2o_emulator::ordered(*graph).size() < graph->nodes.size())
        return g2o_emulator::status(cudaErrorInvalidValue);
    *instance = new CUgraphExec_st{g2o_emulator::copy_of(*graph)};
    return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph,
                                        cudaGraphNode_t *, char *, std::size_t) {
    return cudaGraphInstantiate(instance, graph);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *instance, cudaGraph_t graph,
                                                 unsigned long long = 0) {
    return cudaGraphInstantiate(instance, graph);
}
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream) {
    g2o_emulator::not_captured(stream, "a graph that is launched in a captured stream");
    return g2o_emulator::run(instance->graph);
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
    cudaGraphDestroy(instance->graph);
    delete instance;
    return cudaSuccess;
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info) {
    auto &old = instance->graph->nodes;
    cudaGraph_t made = g2o_emulator::copy_of(*graph);
    *info = {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (old.size() != made->nodes.size())
        return g2o_emulator::status(cudaErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < old.size(); ++i)
        if (old[i]->before.size() != made->nodes[i]->before.size())
            return g2o_emulator::status(cudaErrorGraphExecUpdateFailure);
    // The nodes stay those that they are, with what they do now.
    for (std::size_t i = 0; i < old.size(); ++i) {
        auto before = old[i]->before;
        *old[i] = *made->nodes[i];
        old[i]->before = before;
    }
    for (std::size_t i = 0; i < old.size(); ++i)
        instance->graph->copies[graph->nodes[i]] = old[i];
    info->result = cudaGraphExecUpdateSuccess;
    return cudaSuccess;
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                       cudaGraphNode_t *node, cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(instance, graph, &info);
    if (node)
        *node = info.errorNode;
    *result = info.result;
    return error;
}

// ---- nodes of each type ------------------------------------------------------------------------

inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, std::size_t count) {
    *node = g2o_emulator::add(graph, cudaGraphNodeTypeEmpty, before, count);
    return cudaSuccess;
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *before, std::size_t count,
                                              cudaGraph_t child) {
    *node = g2o_emulator::add(graph, cudaGraphNodeTypeGraph, before, count);
    (*node)->work = [copy = g2o_emulator::copy_of(*child)] { return g2o_emulator::run(copy); };
    return cudaSuccess;
}
#define G2O_EMULATOR_NODE(Type, Params, field)                                                     \
    inline cudaError_t cudaGraphAdd##Type##Node(cudaGraphNode_t *node, cudaGraph_t graph,          \
                                                const cudaGraphNode_t *before, std::size_t count,  \
                                                const Params *given) {                             \
        return g2o_emulator::add_with(node, graph, cudaGraphNodeType##Type, before, count,         \
                                      *given);                                                     \
    }                                                                                              \
    inline cudaError_t cudaGraph##Type##NodeGetParams(cudaGraphNode_t node, Params *params) {      \
        *params = node->field;                                                                     \
        return cudaSuccess;                                                                        \
    }                                                                                              \
    inline cudaError_t cudaGraph##Type##NodeSetParams(cudaGraphNode_t node, const Params *given) { \
        return g2o_emulator::set(node, *given);                                                    \
    }                                                                                              \
    inline cudaError_t cudaGraphExec##Type##NodeSetParams(                                         \
        cudaGraphExec_t instance, cudaGraphNode_t node, const Params *given) {                     \
        return g2o_emulator::set_in(instance, node, *given);                                       \
    }
G2O_EMULATOR_NODE(Kernel, cudaKernelNodeParams, kernel)
G2O_EMULATOR_NODE(Memcpy, cudaMemcpy3DParms, copy)
G2O_EMULATOR_NODE(Memset, cudaMemsetParams, fill)
G2O_EMULATOR_NODE(Host, cudaHostNodeParams, host)
#undef G2O_EMULATOR_NODE

inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *before, std::size_t count,
                                            void *to, const void *from, std::size_t bytes,
                                            cudaMemcpyKind kind) {
    const cudaMemcpy3DParms copy = g2o_emulator::linear(to, from, bytes, kind);
    return cudaGraphAddMemcpyNode(node, graph, before, count, &copy);
}
inline cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                                  std::size_t bytes, cudaMemcpyKind kind) {
    return g2o_emulator::set(node, g2o_emulator::linear(to, from, bytes, kind));
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t instance,
                                                      cudaGraphNode_t node, void *to,
                                                      const void *from, std::size_t bytes,
                                                      cudaMemcpyKind kind) {
    return g2o_emulator::set_in(instance, node, g2o_emulator::linear(to, from, bytes, kind));
}
