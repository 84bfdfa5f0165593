// Streams that join a capture are captured until it ends; nodes run in any order that is allowed.
#include <cstdio>

__global__ void write(int *p, int at, int value) { p[at] = value; }
__global__ void sum(int *p) { p[2] = p[0] * 10 + p[1]; }

int main() {
    int *p;
    cudaMallocManaged(&p, 3 * sizeof(int));
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    write<<<1, 1, 0, first>>>(p, 0, 4);
    write<<<1, 1, 0, second>>>(p, 1, 2);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(first, join, 0);
    sum<<<1, 1, 0, first>>>(p);
    cudaGraph_t graph;
    cudaStreamEndCapture(first, &graph);
    write<<<1, 1, 0, second>>>(p, 0, 9); // at once
    cudaDeviceSynchronize();
    std::printf("%d\n", p[0]);
    cudaGraphExec_t instance;
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, first);
    cudaStreamSynchronize(first);
    std::printf("%d\n", p[2]);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    return 0;
}
// output: 9
// output: 42
