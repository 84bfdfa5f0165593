// Breadth-first search level by level with flags; the distance itself tells who was visited.
//
// usage: bfs_flags [nodes] [mean degree] [repeats]

#include "bfs_flags.hpp"

#include <cstring>

static void search(const Graph &graph, int *cost, unsigned char *frontier, unsigned char *next)
{
    const int n = static_cast<int>(graph.nodes.size());
    const Node *nodes = graph.nodes.data();
    const int *edges = graph.edges.data();
    std::fill_n(cost, n, -1);
    std::memset(frontier, 0, n);
    std::memset(next, 0, n);
    cost[0] = 0;
    frontier[0] = 1;
    int found = 1;
    for (int level = 1; found; ++level) {
        found = 0;
#pragma omp parallel for schedule(static) reduction(| : found)
        for (int i = 0; i < n; ++i) {
            if (!frontier[i])
                continue;
            frontier[i] = 0;
            for (int e = nodes[i].start; e < nodes[i].start + nodes[i].edges; ++e) {
                const int to = edges[e];
                int known;
#pragma omp atomic read
                known = cost[to];
                if (known >= 0)
                    continue;
#pragma omp atomic write
                cost[to] = level;
#pragma omp atomic write
                next[to] = 1;
                found = 1;
            }
        }
        std::swap(frontier, next);
    }
}

int main(int argc, char **argv)
{
    const Graph graph = make_graph(argc, argv);
    std::vector<int> cost(graph.nodes.size());
    std::vector<unsigned char> frontier(cost.size()), next(cost.size());
    const Stopwatch watch;
    for (int r = 0; r < graph.repeats; ++r)
        search(graph, cost.data(), frontier.data(), next.data());
    const double ms = watch.milliseconds();
    return finish(graph, cost, ms);
}
