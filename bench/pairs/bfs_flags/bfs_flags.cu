// Breadth-first search with flags: a thread for every node looks whether it is in the frontier. A
// second kernel makes what was found the next frontier, and says whether there was anything.
//
// usage: bfs_flags [nodes] [mean degree] [repeats]

#include "bfs_flags.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 256;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void expand(const Node *nodes, const int *edges, bool *frontier, bool *next,
                       const bool *visited, int *cost, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n && frontier[tid]) {
        frontier[tid] = false;
        for (int e = nodes[tid].start; e < nodes[tid].start + nodes[tid].edges; e++) {
            int id = edges[e];
            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                next[id] = true;
            }
        }
    }
}

__global__ void take_over(bool *frontier, bool *next, bool *visited, bool *again, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n && next[tid]) {
        frontier[tid] = true;
        visited[tid] = true;
        *again = true;
        next[tid] = false;
    }
}

int main(int argc, char **argv)
{
    const Graph graph = make_graph(argc, argv);
    const int n = static_cast<int>(graph.nodes.size());
    Node *d_nodes;
    int *d_edges, *d_cost;
    bool *d_frontier, *d_next, *d_visited, *d_again;
    CHECK(cudaMalloc(&d_nodes, n * sizeof(Node)));
    CHECK(cudaMalloc(&d_edges, graph.edges.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_cost, n * sizeof(int)));
    CHECK(cudaMalloc(&d_frontier, n));
    CHECK(cudaMalloc(&d_next, n));
    CHECK(cudaMalloc(&d_visited, n));
    CHECK(cudaMalloc(&d_again, 1));
    CHECK(cudaMemcpy(d_nodes, graph.nodes.data(), n * sizeof(Node), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edges, graph.edges.data(), graph.edges.size() * sizeof(int),
                     cudaMemcpyHostToDevice));

    const int blocks = (n + BLOCK - 1) / BLOCK;
    const bool yes = true, no = false;
    const Stopwatch watch;
    for (int r = 0; r < graph.repeats; ++r) {
        CHECK(cudaMemset(d_cost, 0xff, n * sizeof(int)));
        CHECK(cudaMemset(d_cost, 0, sizeof(int)));
        CHECK(cudaMemset(d_frontier, 0, n));
        CHECK(cudaMemset(d_next, 0, n));
        CHECK(cudaMemset(d_visited, 0, n));
        CHECK(cudaMemcpy(d_frontier, &yes, 1, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_visited, &yes, 1, cudaMemcpyHostToDevice));
        bool again = true;
        while (again) {
            CHECK(cudaMemcpy(d_again, &no, 1, cudaMemcpyHostToDevice));
            expand<<<blocks, BLOCK>>>(d_nodes, d_edges, d_frontier, d_next, d_visited, d_cost, n);
            take_over<<<blocks, BLOCK>>>(d_frontier, d_next, d_visited, d_again, n);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(&again, d_again, 1, cudaMemcpyDeviceToHost));
        }
    }
    const double ms = watch.milliseconds();

    std::vector<int> cost(n);
    CHECK(cudaMemcpy(cost.data(), d_cost, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_nodes));
    CHECK(cudaFree(d_edges));
    CHECK(cudaFree(d_cost));
    CHECK(cudaFree(d_frontier));
    CHECK(cudaFree(d_next));
    CHECK(cudaFree(d_visited));
    CHECK(cudaFree(d_again));
    return finish(graph, cost, ms);
}
