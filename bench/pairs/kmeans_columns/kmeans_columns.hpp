// k-means clustering of points whose number of features is known at run time only.
#pragma once

#include "../support.hpp"

#include <cfloat>

struct Problem {
    int points, features, clusters, iterations;
    std::vector<float> input;   // point by point
    std::vector<float> centres; // centre by centre
};

inline Problem make_problem(int argc, char **argv)
{
    Problem problem;
    problem.points = argument(argc, argv, 1, 2000);
    problem.features = argument(argc, argv, 2, 6);
    problem.clusters = argument(argc, argv, 3, 4);
    problem.iterations = argument(argc, argv, 4, 3);
    Random random(31337u);
    problem.input.resize(static_cast<std::size_t>(problem.points) * problem.features);
    for (float &value : problem.input)
        value = random.uniform();
    problem.clusters = std::min(problem.clusters, problem.points);
    problem.centres.assign(problem.input.begin(),
                           problem.input.begin() + problem.clusters * problem.features);
    return problem;
}

// The means of the points that belong together; a cluster without points keeps its centre.
inline void update_centres(const Problem &problem, const int *membership,
                           std::vector<float> &centres)
{
    const int features = problem.features;
    std::vector<double> sums(centres.size(), 0.0);
    std::vector<int> sizes(problem.clusters, 0);
    for (int i = 0; i < problem.points; ++i) {
        const int c = membership[i];
        ++sizes[c];
        for (int j = 0; j < features; ++j)
            sums[c * features + j] += problem.input[i * features + j];
    }
    for (std::size_t k = 0; k < centres.size(); ++k)
        if (sizes[k / features] > 0)
            centres[k] = static_cast<float>(sums[k] / sizes[k / features]);
}

inline int finish(const Problem &problem, const std::vector<float> &centres, double milliseconds)
{
    std::vector<float> expected = problem.centres;
    std::vector<int> membership(problem.points);
    for (int round = 0; round < problem.iterations; ++round) {
        for (int i = 0; i < problem.points; ++i) {
            float nearest = FLT_MAX;
            for (int c = 0; c < problem.clusters; ++c) {
                float distance = 0.0f;
                for (int j = 0; j < problem.features; ++j) {
                    const float d = problem.input[i * problem.features + j] -
                                    expected[c * problem.features + j];
                    distance += d * d;
                }
                if (distance < nearest) {
                    nearest = distance;
                    membership[i] = c;
                }
            }
        }
        update_centres(problem, membership.data(), expected);
    }
    // Points half-way between two centres may fall to either side by rounding.
    return report(worst_error(centres, expected) < 1e-2, checksum(centres), milliseconds);
}
