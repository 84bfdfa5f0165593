// g2o_graphs.hpp: graphs of operations.
#ifndef G2O_GRAPHS_HPP
#define G2O_GRAPHS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "g2o_arrays.hpp"
#include "g2o_launches.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("I")
#undef I
#pragma push_macro("P")
#undef P

namespace g2o {

namespace types {

enum GraphNodeType {
    GraphNodeTypeKernel = 0,
    GraphNodeTypeMemcpy = 1,
    GraphNodeTypeMemset = 2,
    GraphNodeTypeHost = 3,
    GraphNodeTypeGraph = 4,
    GraphNodeTypeEmpty = 5
};

enum GraphExecUpdateResult {
    GraphExecUpdateSuccess = 0,
    GraphExecUpdateError = 1,
    GraphExecUpdateErrorTopologyChanged = 2,
    GraphExecUpdateErrorNodeTypeChanged = 3
};

struct GraphExecUpdateResultInfo {
    GraphExecUpdateResult result;
    GraphNode errorNode, errorFromNode;
};

struct KernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams;
    void **extra;
};

struct MemsetParams {
    void *dst;
    std::size_t pitch;
    unsigned value, elementSize;
    std::size_t width, height;
};

struct HostNodeParams {
    HostFn fn;
    void *userData;
};

enum StreamCaptureMode {
    StreamCaptureModeGlobal = 0,
    StreamCaptureModeThreadLocal = 1,
    StreamCaptureModeRelaxed = 2
};

enum StreamCaptureStatus {
    StreamCaptureStatusNone = 0,
    StreamCaptureStatusActive = 1,
    StreamCaptureStatusInvalidated = 2
};

} // namespace types

inline Error stream_begin_capture(Stream stream, StreamCaptureMode /*mode*/)
{
    if (detail::is_default_stream(stream) || stream->capture != nullptr)
        return detail::report(ErrorInvalidValue);
    stream->capture = new GraphState{{}, {stream}, {}};
    return Success;
}

inline Error stream_end_capture(Stream stream, Graph *graph)
{
    *graph = detail::capture_of(stream);
    if (*graph == nullptr)
        return detail::report(ErrorInvalidValue);
    for (const Stream captured : (*graph)->streams)
        captured->capture = nullptr;
    (*graph)->streams.clear();
    return Success;
}

inline Error stream_is_capturing(Stream stream, StreamCaptureStatus *status)
{
    *status = detail::capture_of(stream) != nullptr ? StreamCaptureStatusActive
                                                    : StreamCaptureStatusNone;
    return Success;
}

namespace detail {

// Puts an operation behind those that it needs; false where those need each other.
inline bool put_in_order(GraphNode operation, std::unordered_map<GraphNode, bool> &done,
                         std::vector<GraphNode> &sorted)
{
    const auto known = done.find(operation);
    if (known != done.end())
        return known->second;
    done[operation] = false;
    for (const GraphNode other : operation->needs)
        if (!put_in_order(other, done, sorted))
            return false;
    sorted.push_back(operation);
    return done[operation] = true;
}

// Copies of the operations of a graph, in an order that they allow. Fails where there is none.
inline bool copy_operations(const GraphState &graph, GraphState &target)
{
    std::unordered_map<GraphNode, bool> done;
    std::vector<GraphNode> sorted;
    for (const auto &operation : graph.operations)
        if (!put_in_order(operation.get(), done, sorted))
            return false;
    for (const GraphNode operation : sorted) {
        std::vector<GraphNode> needs;
        for (const GraphNode other : operation->needs)
            needs.push_back(target.copies.at(other));
        target.copies[operation] = append(target, operation->copy(), needs.data(), needs.size());
    }
    return true;
}

} // namespace detail

inline Error graph_instantiate(GraphExec *executable, Graph graph, unsigned long long /*flags*/ = 0)
{
    if (executable == nullptr || graph == nullptr)
        return detail::report(ErrorInvalidValue);
    auto made = std::make_unique<GraphState>();
    if (!detail::copy_operations(*graph, *made))
        return detail::report(ErrorInvalidValue);
    *executable = made.release();
    return Success;
}

inline Error graph_instantiate(GraphExec *executable, Graph graph, GraphNode * /*faulty*/,
                               char * /*log*/, std::size_t /*bytes*/)
{
    return graph_instantiate(executable, graph);
}

inline Error graph_instantiate_with_flags(GraphExec *executable, Graph graph,
                                          unsigned long long /*flags*/ = 0)
{
    return graph_instantiate(executable, graph);
}

inline Error graph_upload(GraphExec executable, Stream /*stream*/ = nullptr)
{
    return detail::report(executable != nullptr ? Success : ErrorInvalidValue);
}

inline Error graph_launch(GraphExec executable, Stream stream)
{
    if (executable == nullptr)
        return detail::report(ErrorInvalidValue);
    return detail::enqueue(stream, [operations = executable->operations] {
        for (const auto &operation : operations)
            operation->run();
        return Success;
    });
}

// How many operations a graph has, and where there is room for them, which.
inline Error graph_get_nodes(Graph graph, GraphNode *nodes, std::size_t *count)
{
    if (nodes != nullptr)
        for (std::size_t i = 0; i < std::min(*count, graph->operations.size()); ++i)
            nodes[i] = graph->operations[i].get();
    *count = graph->operations.size();
    return Success;
}

inline Error graph_exec_destroy(GraphExec executable)
{
    delete executable;
    return Success;
}

inline Error graph_destroy(Graph graph)
{
    delete graph;
    return Success;
}

// Nodes run one after another, each behind those that it needs.

inline Error graph_create(Graph *graph, unsigned /*flags*/ = 0)
{
    *graph = new GraphState;
    return Success;
}

inline Error graph_clone(Graph *clone, Graph graph) { return graph_instantiate(clone, graph); }

inline Error graph_node_find_in_clone(GraphNode *node, GraphNode original, Graph clone)
{
    const auto found = clone->copies.find(original);
    *node = found == clone->copies.end() ? nullptr : found->second;
    return detail::report(*node != nullptr ? Success : ErrorInvalidValue);
}

inline Error graph_add_dependencies(Graph /*graph*/, const GraphNode *from, const GraphNode *to,
                                    std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        to[i]->needs.push_back(from[i]);
    return Success;
}

inline Error graph_remove_dependencies(Graph /*graph*/, const GraphNode *from, const GraphNode *to,
                                       std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        auto &needs = to[i]->needs;
        needs.erase(std::remove(needs.begin(), needs.end(), from[i]), needs.end());
    }
    return Success;
}

inline Error graph_get_root_nodes(Graph graph, GraphNode *nodes, std::size_t *count)
{
    std::size_t found = 0;
    for (const auto &operation : graph->operations) {
        if (!operation->needs.empty())
            continue;
        if (nodes != nullptr && found < *count)
            nodes[found] = operation.get();
        ++found;
    }
    *count = found;
    return Success;
}

namespace detail {

// A node of a graph: what its parameters are, and how it runs with them.
template <class Parameters> struct GraphNodeOf : GraphOperation {
    Parameters parameters;

    virtual Error set(const Parameters &given)
    {
        parameters = given;
        return Success;
    }
};

struct KernelNode final : GraphNodeOf<KernelNodeParams> {
    const AnyKernel *kernel;
    std::shared_ptr<void> values;
    std::vector<void *> places;

    Error set(const KernelNodeParams &given) override
    {
        const AnyKernel *const found = kernel_behind(given.func);
        if (found == nullptr) {
            std::fputs("g2o: the kernel of a node is not known: cast its name to 'void *'\n", stderr);
            std::abort();
        }
        if (!is_launchable(given.gridDim, given.blockDim) || given.extra != nullptr)
            return ErrorInvalidValue;
        kernel = found;
        std::vector<void *> own;
        values = kernel->copied(given.kernelParams, own);
        places = std::move(own);
        parameters = given;
        parameters.kernelParams = places.data();
        return Success;
    }
    void run() override
    {
        kernel->run(parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes,
                    places.data());
    }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<KernelNode>();
        made->set(parameters);
        return made;
    }
};

struct MemcpyNode final : GraphNodeOf<Memcpy3DParms> {
    void run() override { memcpy_3d(&parameters); }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<MemcpyNode>();
        made->parameters = parameters;
        return made;
    }
};

struct MemsetNode final : GraphNodeOf<MemsetParams> {
    Error set(const MemsetParams &given) override
    {
        if (given.elementSize != 1 && given.elementSize != 2 && given.elementSize != 4)
            return ErrorInvalidValue;
        parameters = given;
        return Success;
    }
    void run() override
    {
        const MemsetParams &p = parameters;
        for (std::size_t row = 0; row < p.height; ++row)
            for (std::size_t i = 0; i < p.width; ++i)
                std::memcpy(static_cast<char *>(p.dst) + row * p.pitch + i * p.elementSize,
                            &p.value, p.elementSize);
    }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<MemsetNode>();
        made->parameters = parameters;
        return made;
    }
};

struct HostNode final : GraphNodeOf<HostNodeParams> {
    void run() override { parameters.fn(parameters.userData); }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<HostNode>();
        made->parameters = parameters;
        return made;
    }
};

struct EmptyNode final : GraphOperation {
    void run() override {}
    std::shared_ptr<GraphOperation> copy() const override { return std::make_shared<EmptyNode>(); }
};

struct ChildGraphNode final : GraphOperation {
    GraphState child;

    void run() override
    {
        for (const auto &operation : child.operations)
            operation->run();
    }
    std::shared_ptr<GraphOperation> copy() const override
    {
        auto made = std::make_shared<ChildGraphNode>();
        copy_operations(child, made->child);
        return made;
    }
};

template <class Node, class Parameters>
Error add_node(GraphNode *node, Graph graph, const GraphNode *needs, std::size_t count,
               const Parameters &parameters)
{
    auto made = std::make_shared<Node>();
    const Error error = made->set(parameters);
    *node = error == Success ? append(*graph, std::move(made), needs, count) : nullptr;
    return report(error);
}

template <class Node, class Parameters> Error get_parameters(GraphNode node, Parameters *parameters)
{
    const Node *const found = dynamic_cast<Node *>(node);
    if (found == nullptr)
        return report(ErrorInvalidValue);
    *parameters = found->parameters;
    return Success;
}

template <class Node, class Parameters>
Error set_parameters(GraphNode node, const Parameters &parameters)
{
    Node *const found = dynamic_cast<Node *>(node);
    return report(found == nullptr ? ErrorInvalidValue : found->set(parameters));
}

// Of the node's copy in what was made of its graph.
template <class Node, class Parameters>
Error set_parameters_of_copy(GraphExec executable, GraphNode node, const Parameters &parameters)
{
    const auto found = executable->copies.find(node);
    if (found == executable->copies.end())
        return report(ErrorInvalidValue);
    return set_parameters<Node>(found->second, parameters);
}

inline Memcpy3DParms plain_copy(void *target, const void *source, std::size_t bytes,
                                MemcpyKind kind)
{
    Memcpy3DParms copy{};
    copy.srcPtr = make_pitched_ptr(const_cast<void *>(source), bytes, bytes, 1);
    copy.dstPtr = make_pitched_ptr(target, bytes, bytes, 1);
    copy.extent = make_extent(bytes, 1, 1);
    copy.kind = kind;
    return copy;
}

} // namespace detail

inline Error graph_add_empty_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                  std::size_t count)
{
    *node = detail::append(*graph, std::make_shared<detail::EmptyNode>(), needs, count);
    return Success;
}

inline Error graph_add_child_graph_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                        std::size_t count, Graph child)
{
    auto made = std::make_shared<detail::ChildGraphNode>();
    *node = nullptr;
    if (!detail::copy_operations(*child, made->child))
        return detail::report(ErrorInvalidValue);
    *node = detail::append(*graph, std::move(made), needs, count);
    return Success;
}

inline Error graph_add_kernel_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                   std::size_t count, const KernelNodeParams *parameters)
{
    return detail::add_node<detail::KernelNode>(node, graph, needs, count, *parameters);
}

inline Error graph_add_memcpy_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                   std::size_t count, const Memcpy3DParms *parameters)
{
    return detail::add_node<detail::MemcpyNode>(node, graph, needs, count, *parameters);
}

inline Error graph_add_memcpy_node_1d(GraphNode *node, Graph graph, const GraphNode *needs,
                                      std::size_t count, void *target, const void *source,
                                      std::size_t bytes, MemcpyKind kind)
{
    const Memcpy3DParms copy = detail::plain_copy(target, source, bytes, kind);
    return graph_add_memcpy_node(node, graph, needs, count, &copy);
}

inline Error graph_add_memset_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                   std::size_t count, const MemsetParams *parameters)
{
    return detail::add_node<detail::MemsetNode>(node, graph, needs, count, *parameters);
}

inline Error graph_add_host_node(GraphNode *node, Graph graph, const GraphNode *needs,
                                 std::size_t count, const HostNodeParams *parameters)
{
    return detail::add_node<detail::HostNode>(node, graph, needs, count, *parameters);
}

inline Error graph_kernel_node_get_params(GraphNode node, KernelNodeParams *parameters)
{
    return detail::get_parameters<detail::KernelNode>(node, parameters);
}
inline Error graph_kernel_node_set_params(GraphNode node, const KernelNodeParams *parameters)
{
    return detail::set_parameters<detail::KernelNode>(node, *parameters);
}
inline Error graph_exec_kernel_node_set_params(GraphExec executable, GraphNode node,
                                               const KernelNodeParams *parameters)
{
    return detail::set_parameters_of_copy<detail::KernelNode>(executable, node, *parameters);
}

inline Error graph_memcpy_node_get_params(GraphNode node, Memcpy3DParms *parameters)
{
    return detail::get_parameters<detail::MemcpyNode>(node, parameters);
}
inline Error graph_memcpy_node_set_params(GraphNode node, const Memcpy3DParms *parameters)
{
    return detail::set_parameters<detail::MemcpyNode>(node, *parameters);
}
inline Error graph_exec_memcpy_node_set_params(GraphExec executable, GraphNode node,
                                               const Memcpy3DParms *parameters)
{
    return detail::set_parameters_of_copy<detail::MemcpyNode>(executable, node, *parameters);
}
inline Error graph_memcpy_node_set_params_1d(GraphNode node, void *target, const void *source,
                                             std::size_t bytes, MemcpyKind kind)
{
    const Memcpy3DParms copy = detail::plain_copy(target, source, bytes, kind);
    return graph_memcpy_node_set_params(node, &copy);
}
inline Error graph_exec_memcpy_node_set_params_1d(GraphExec executable, GraphNode node,
                                                  void *target, const void *source,
                                                  std::size_t bytes, MemcpyKind kind)
{
    const Memcpy3DParms copy = detail::plain_copy(target, source, bytes, kind);
    return graph_exec_memcpy_node_set_params(executable, node, &copy);
}

inline Error graph_memset_node_get_params(GraphNode node, MemsetParams *parameters)
{
    return detail::get_parameters<detail::MemsetNode>(node, parameters);
}
inline Error graph_memset_node_set_params(GraphNode node, const MemsetParams *parameters)
{
    return detail::set_parameters<detail::MemsetNode>(node, *parameters);
}
inline Error graph_exec_memset_node_set_params(GraphExec executable, GraphNode node,
                                               const MemsetParams *parameters)
{
    return detail::set_parameters_of_copy<detail::MemsetNode>(executable, node, *parameters);
}

inline Error graph_host_node_get_params(GraphNode node, HostNodeParams *parameters)
{
    return detail::get_parameters<detail::HostNode>(node, parameters);
}
inline Error graph_host_node_set_params(GraphNode node, const HostNodeParams *parameters)
{
    return detail::set_parameters<detail::HostNode>(node, *parameters);
}
inline Error graph_exec_host_node_set_params(GraphExec executable, GraphNode node,
                                             const HostNodeParams *parameters)
{
    return detail::set_parameters_of_copy<detail::HostNode>(executable, node, *parameters);
}

// What kind of node it is. Of what a stream captured, that is not known any longer.
inline Error graph_node_get_type(GraphNode node, GraphNodeType *type)
{
    if (dynamic_cast<detail::KernelNode *>(node) != nullptr)
        *type = GraphNodeTypeKernel;
    else if (dynamic_cast<detail::MemcpyNode *>(node) != nullptr)
        *type = GraphNodeTypeMemcpy;
    else if (dynamic_cast<detail::MemsetNode *>(node) != nullptr)
        *type = GraphNodeTypeMemset;
    else if (dynamic_cast<detail::HostNode *>(node) != nullptr)
        *type = GraphNodeTypeHost;
    else if (dynamic_cast<detail::ChildGraphNode *>(node) != nullptr)
        *type = GraphNodeTypeGraph;
    else if (dynamic_cast<detail::EmptyNode *>(node) != nullptr)
        *type = GraphNodeTypeEmpty;
    else
        return detail::report(ErrorNotSupported);
    return Success;
}

// Takes over what a graph of the same nodes does; others need an instance of their own.
inline Error graph_exec_update(GraphExec executable, Graph graph, GraphExecUpdateResultInfo *info)
{
    GraphState made;
    *info = {GraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (!detail::copy_operations(*graph, made) ||
        made.operations.size() != executable->operations.size())
        return detail::report(ErrorGraphExecUpdateFailure);
    for (std::size_t i = 0; i < made.operations.size(); ++i) {
        const GraphOperation &old = *executable->operations[i], &now = *made.operations[i];
        if (old.needs.size() != now.needs.size())
            return detail::report(ErrorGraphExecUpdateFailure);
    }
    // Nodes of the graph that it was made of are still known by those.
    std::unordered_map<const GraphOperation *, GraphOperation *> replaced;
    for (std::size_t i = 0; i < made.operations.size(); ++i)
        replaced[executable->operations[i].get()] = made.operations[i].get();
    for (const auto &known : executable->copies)
        made.copies.emplace(known.first, replaced.at(known.second));
    *executable = std::move(made);
    info->result = GraphExecUpdateSuccess;
    return Success;
}

inline Error graph_exec_update(GraphExec executable, Graph graph, GraphNode *node,
                               GraphExecUpdateResult *result)
{
    GraphExecUpdateResultInfo info;
    const Error error = graph_exec_update(executable, graph, &info);
    if (node != nullptr)
        *node = nullptr;
    *result = info.result;
    return error;
}

} // namespace g2o

#pragma pop_macro("I")
#pragma pop_macro("P")

} // extern "C++"

#endif // G2O_GRAPHS_HPP
