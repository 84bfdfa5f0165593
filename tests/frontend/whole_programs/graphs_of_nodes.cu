// out: 8 1 1 68 20 28 1 1 3 72 32 2 1 8 3 0 103
// Graphs of nodes: of each type, with parameters that change, cloned, updated, and captured ones.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void add(int *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += by;
}
template <typename T> __global__ void scale(T *p, T factor)
{
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] * factor;
}
__global__ void first(size_t n, int *p)
{
    if (threadIdx.x == 0)
        p[0] += int(n);
}
void count(void *calls)
{
    ++*static_cast<int *>(calls);
}
cudaGraphNode_t kernel_node(cudaGraph_t graph, void *kernel, int threads, int bytes, void **values,
                            std::vector<cudaGraphNode_t> behind)
{
    cudaKernelNodeParams params = {0};
    params.func = kernel;
    params.gridDim = dim3(1, 1, 1);
    params.blockDim = dim3(threads);
    params.sharedMemBytes = bytes;
    params.kernelParams = values;
    params.extra = NULL;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, behind.data(), behind.size(), &params);
    return node;
}
int main()
{
    const int n = 32;
    int calls = 0, by = 3, factor = 2, size = n;
    std::vector<int> h(n), r(n);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        h[i] = i;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph, other;
    cudaGraphCreate(&graph, 0);

    cudaGraphNode_t in, set, out, host, empty, adds, scales, child;
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(h.data(), n * sizeof(int), n, 1);
    copy.dstPtr = make_cudaPitchedPtr(d, n * sizeof(int), n, 1);
    copy.extent = make_cudaExtent(n * sizeof(int), 1, 1);
    copy.kind = cudaMemcpyHostToDevice;
    cudaGraphAddMemcpyNode1D(&out, graph, nullptr, 0, r.data(), d, n * sizeof(int),
                             cudaMemcpyDeviceToHost); // runs last
    cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &copy);
    cudaMemsetParams clear = {};
    clear.dst = d + 4;
    clear.value = 7;
    clear.elementSize = sizeof(int);
    clear.width = 2;
    clear.height = 1;
    cudaGraphAddMemsetNode(&set, graph, &in, 1, &clear);
    void *add_values[] = {&d, &size, &by};
    adds = kernel_node(graph, (void *)add, n, 0, add_values, {set});
    void *scale_values[] = {&d, &factor};
    scales = kernel_node(graph, (void *)scale<int>, n, n * sizeof(int), scale_values, {adds});
    cudaGraphAddEmptyNode(&empty, graph, &scales, 1);
    cudaHostNodeParams calling = {count, &calls};
    cudaGraphAddHostNode(&host, graph, &empty, 1, &calling);
    cudaGraphAddDependencies(graph, &host, &out, 1);

    cudaGraphCreate(&other, 0);
    size_t eleven = 11;
    void *first_values[] = {&eleven, &d};
    kernel_node(other, reinterpret_cast<void *>(first), n, 0, first_values, {});
    cudaGraphAddChildGraphNode(&child, graph, &adds, 1, other);
    cudaGraphAddDependencies(graph, &child, &scales, 1);
    by = 1000; // the node has what it was

    size_t nodes = 0, roots = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetRootNodes(graph, nullptr, &roots);
    cudaGraphNodeType type;
    cudaGraphNodeGetType(host, &type);
    std::printf("%d %d %d ", int(nodes), int(roots), int(type == cudaGraphNodeTypeHost));

    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
    cudaGraphUpload(executable, stream);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d %d %d %d ", r[0], r[27], r[31], calls);

    by = 5;
    cudaKernelNodeParams params;
    cudaGraphKernelNodeGetParams(adds, &params);
    std::printf("%d %d ", params.func == (void *)add, *(int *)params.kernelParams[2]);
    params.kernelParams = add_values;
    cudaGraphExecKernelNodeSetParams(executable, adds, &params);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d %d %d ", r[0], r[31], calls);

    cudaGraph_t clone;
    cudaGraphClone(&clone, graph);
    cudaGraphNode_t cloned;
    cudaGraphNodeFindInClone(&cloned, set, clone);
    clear.value = 1;
    cudaGraphMemsetNodeSetParams(cloned, &clear);
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t wrong;
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExecUpdate(executable, clone, &info);
    result = info.result;
    (void)wrong;
#else
    cudaGraphExecUpdate(executable, clone, &wrong, &result);
#endif
    cudaGraphLaunch(executable, stream);
    std::printf("%d %d %d ", result == cudaGraphExecUpdateSuccess, r[27], calls);
    cudaGraphDestroy(clone);
    cudaGraphDestroy(other);
    cudaGraphDestroy(graph);
    cudaGraphExecDestroy(executable);

    // One that is captured.
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
    for (int k = 0; k < 3; ++k)
        add<<<1, n, 0, stream>>>(d, n, k);
    cudaMemcpyAsync(r.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamEndCapture(stream, &graph);
    r[3] = 0;
    std::printf("%d ", r[3]);
    cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
    h[3] = 100;
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", r[3]);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    return 0;
}
