// k-means: strips of points, stored feature by feature, are compared with one centre at a time.
//
// usage: kmeans_columns [points] [features] [clusters] [iterations]

#include "kmeans_columns.hpp"

constexpr int STRIP = 256;

static void invert(const float *input, float *feature, int points, int features)
{
#pragma omp parallel for schedule(static)
    for (int first = 0; first < points; first += STRIP) {
        const int last = std::min(first + STRIP, points);
        for (int j = 0; j < features; ++j)
            for (int i = first; i < last; ++i)
                feature[j * points + i] = input[i * features + j];
    }
}

static void find_nearest(const Problem &problem, const float *feature, const float *centres,
                         int *membership)
{
    const int points = problem.points, features = problem.features;
#pragma omp parallel for schedule(static)
    for (int first = 0; first < points; first += STRIP) {
        const int count = std::min(STRIP, points - first);
        float smallest[STRIP], distance[STRIP];
        int index[STRIP];
        std::fill_n(smallest, count, FLT_MAX);
        std::fill_n(index, count, -1);
        for (int c = 0; c < problem.clusters; ++c) {
            std::fill_n(distance, count, 0.0f);
            for (int j = 0; j < features; ++j) {
                const float centre = centres[c * features + j];
                const float *column = feature + j * points + first;
#pragma omp simd
                for (int i = 0; i < count; ++i) {
                    const float difference = column[i] - centre;
                    distance[i] += difference * difference;
                }
            }
#pragma omp simd
            for (int i = 0; i < count; ++i) {
                const bool closer = distance[i] < smallest[i];
                smallest[i] = closer ? distance[i] : smallest[i];
                index[i] = closer ? c : index[i];
            }
        }
        std::copy_n(index, count, membership + first);
    }
}

int main(int argc, char **argv)
{
    const Problem problem = make_problem(argc, argv);
    std::vector<float> feature(problem.input.size()), centres = problem.centres;
    std::vector<int> membership(problem.points);
    const Stopwatch watch;
    invert(problem.input.data(), feature.data(), problem.points, problem.features);
    for (int i = 0; i < problem.iterations; ++i) {
        find_nearest(problem, feature.data(), centres.data(), membership.data());
        update_centres(problem, membership.data(), centres);
    }
    const double ms = watch.milliseconds();
    return finish(problem, centres, ms);
}
