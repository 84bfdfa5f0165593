#include <cuda_runtime.h>

int main()
{
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    return 0;
}
