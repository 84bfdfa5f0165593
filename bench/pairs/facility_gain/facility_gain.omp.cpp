// The gain of opening a facility: distances for a strip of points, one dimension at a time; sums
// of its own for each thread.
//
// usage: facility_gain [points] [dimensions] [open] [candidates]

#include "facility_gain.hpp"

constexpr int STRIP = 512;

static void evaluate(const Instance &instance, int x, double &change, double *closing)
{
    const int n = instance.points, open = instance.open;
    const float *coordinate = instance.coordinate.data();
    double saved = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : saved, closing[:open])
    for (int first = 0; first < n; first += STRIP) {
        const int count = std::min(STRIP, n - first);
        float distance[STRIP] = {};
        for (int d = 0; d < instance.dimensions; ++d) {
            const float *row = coordinate + d * n + first;
            const float there = coordinate[d * n + x];
#pragma omp simd
            for (int i = 0; i < count; ++i) {
                const float difference = row[i] - there;
                distance[i] += difference * difference;
            }
        }
        for (int i = 0; i < count; ++i) {
            const float now = instance.cost[first + i];
            const float cost = distance[i] * instance.weight[first + i];
            if (cost < now)
                saved += cost - now;
            else
                closing[instance.assigned[first + i]] += now - cost;
        }
    }
    change = saved;
}

int main(int argc, char **argv)
{
    const Instance instance = make_instance(argc, argv);
    Gain gain{std::vector<double>(instance.candidates, 0.0),
              std::vector<double>(instance.candidates * instance.open, 0.0)};
    const Stopwatch watch;
    for (int k = 0; k < instance.candidates; ++k)
        evaluate(instance, candidate_point(instance, k), gain.change[k],
                 gain.closing.data() + k * instance.open);
    const double ms = watch.milliseconds();
    return finish(instance, gain, ms);
}
