// Breadth-first search level by level with flags of a byte.
//
// usage: bfs_flags [nodes] [mean degree] [repeats]

#include "bfs_flags.hpp"

#include <cstring>

struct Flags {
    std::vector<unsigned char> frontier, next, visited;
};

static void search(const Graph &graph, int *cost, Flags &flags)
{
    const int n = static_cast<int>(graph.nodes.size());
    const Node *nodes = graph.nodes.data();
    const int *edges = graph.edges.data();
    unsigned char *frontier = flags.frontier.data(), *next = flags.next.data();
    unsigned char *visited = flags.visited.data();
    std::fill_n(cost, n, -1);
    std::memset(frontier, 0, n);
    std::memset(next, 0, n);
    std::memset(visited, 0, n);
    cost[0] = 0;
    frontier[0] = visited[0] = 1;
    for (int level = 1, found = 1; found; ++level) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i) {
            if (!frontier[i])
                continue;
            frontier[i] = 0;
            for (int e = nodes[i].start; e < nodes[i].start + nodes[i].edges; ++e)
                if (!visited[edges[e]]) {
                    // Whoever comes first or last: it is the same 1.
#pragma omp atomic write
                    next[edges[e]] = 1;
                }
        }
        found = 0;
#pragma omp parallel for schedule(static) reduction(| : found)
        for (int i = 0; i < n; ++i)
            if (next[i]) {
                next[i] = 0;
                frontier[i] = visited[i] = 1;
                cost[i] = level;
                found = 1;
            }
    }
}

int main(int argc, char **argv)
{
    const Graph graph = make_graph(argc, argv);
    std::vector<int> cost(graph.nodes.size());
    const std::vector<unsigned char> none(cost.size());
    Flags flags{none, none, none};
    const Stopwatch watch;
    for (int r = 0; r < graph.repeats; ++r)
        search(graph, cost.data(), flags);
    const double ms = watch.milliseconds();
    return finish(graph, cost, ms);
}
