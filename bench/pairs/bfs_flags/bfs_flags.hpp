// The distances of all nodes of a graph from the first one, in edges.
#pragma once

#include "../support.hpp"

struct Node {
    int start, edges;
};

struct Graph {
    int repeats;
    std::vector<Node> nodes;
    std::vector<int> edges;
};

inline Graph make_graph(int argc, char **argv)
{
    Graph graph;
    const int nodes = argument(argc, argv, 1, 2000), degree = argument(argc, argv, 2, 4);
    graph.repeats = argument(argc, argv, 3, 2);
    Random random(1736u);
    for (int i = 0; i < nodes; ++i) {
        const int count = 1 + static_cast<int>(random.below(2 * degree - 1));
        graph.nodes.push_back({static_cast<int>(graph.edges.size()), count});
        for (int k = 0; k < count; ++k)
            graph.edges.push_back(static_cast<int>(random.next() % nodes));
    }
    return graph;
}

inline int finish(const Graph &graph, const std::vector<int> &found, double milliseconds)
{
    std::vector<int> cost(graph.nodes.size(), -1), queue{0};
    cost[0] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Node node = graph.nodes[queue[head]];
        for (int e = node.start; e < node.start + node.edges; ++e)
            if (cost[graph.edges[e]] < 0) {
                cost[graph.edges[e]] = cost[queue[head]] + 1;
                queue.push_back(graph.edges[e]);
            }
    }
    return report(found == cost, checksum(found), milliseconds);
}
