// What would be gained by opening further facilities: points go over to a new one that is nearer,
// and those that stay say what closing theirs would cost them.
#pragma once

#include "../support.hpp"

struct Instance {
    int points, dimensions, open, candidates;
    std::vector<float> coordinate; // dimension by dimension
    std::vector<float> weight, cost;
    std::vector<int> assigned; // which of the open facilities serves the point
};

struct Gain {
    std::vector<double> change;  // for every candidate: what the points save that go over
    std::vector<double> closing; // candidate by candidate: what closing each facility changes
};

inline Instance make_instance(int argc, char **argv)
{
    Instance instance;
    const int n = instance.points = argument(argc, argv, 1, 1000);
    instance.dimensions = argument(argc, argv, 2, 8);
    instance.open = argument(argc, argv, 3, 5);
    instance.candidates = argument(argc, argv, 4, 3);
    Random random(123u);
    instance.coordinate.resize(static_cast<std::size_t>(n) * instance.dimensions);
    for (float &x : instance.coordinate)
        x = random.uniform();
    for (int i = 0; i < n; ++i) {
        instance.weight.push_back(1.0f + static_cast<float>(random.below(3)));
        instance.cost.push_back(static_cast<float>(instance.dimensions) * random.uniform() * 0.3f);
        instance.assigned.push_back(static_cast<int>(random.below(instance.open)));
    }
    return instance;
}

inline int candidate_point(const Instance &instance, int candidate)
{
    return static_cast<int>((candidate * 7919LL + 13) % instance.points);
}

inline int finish(const Instance &instance, const Gain &found, double milliseconds)
{
    const int n = instance.points, open = instance.open;
    Gain expected{std::vector<double>(instance.candidates, 0.0),
                  std::vector<double>(instance.candidates * open, 0.0)};
    for (int k = 0; k < instance.candidates; ++k) {
        const int x = candidate_point(instance, k);
        for (int i = 0; i < n; ++i) {
            float distance = 0.0f;
            for (int d = 0; d < instance.dimensions; ++d) {
                const float difference = instance.coordinate[d * n + i] -
                                         instance.coordinate[d * n + x];
                distance += difference * difference;
            }
            const float cost = distance * instance.weight[i];
            if (cost < instance.cost[i])
                expected.change[k] += cost - instance.cost[i];
            else
                expected.closing[k * open + instance.assigned[i]] += instance.cost[i] - cost;
        }
    }
    const bool pass = worst_error(found.change, expected.change) < 1e-4 &&
                      worst_error(found.closing, expected.closing) < 1e-4;
    return report(pass, checksum(found.change) + checksum(found.closing), milliseconds);
}
