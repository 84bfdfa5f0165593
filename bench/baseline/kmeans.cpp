// k-means clustering with a fixed number of features.
//
// One pass over the points finds the nearest centroid of each and adds the point to the
// sums of its cluster; every thread has sums of its own until the end of the pass.
//
// usage: kmeans [points] [clusters] [iterations]

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int FEATURES = 8;
constexpr int MAX_CLUSTERS = 64;
constexpr int CHUNK = 128; // points that are treated together

struct Clusters {
    double sums[MAX_CLUSTERS * FEATURES] = {};
    int sizes[MAX_CLUSTERS] = {};
    int moved = 0;

    Clusters &operator+=(const Clusters &other)
    {
        for (int k = 0; k < MAX_CLUSTERS * FEATURES; ++k)
            sums[k] += other.sums[k];
        for (int c = 0; c < MAX_CLUSTERS; ++c)
            sizes[c] += other.sizes[c];
        moved += other.moved;
        return *this;
    }
};

#pragma omp declare reduction(merge : Clusters : omp_out += omp_in) \
    initializer(omp_priv = Clusters())

// Points are stored feature by feature, n values each.
static Clusters assign_and_accumulate(const float *points, const float *centroids,
                                      int *membership, int n, int clusters)
{
    Clusters total;
#pragma omp parallel for schedule(static) reduction(merge : total)
    for (int first = 0; first < n; first += CHUNK) {
        const int count = std::min(CHUNK, n - first);
        float smallest[CHUNK];
        int nearest[CHUNK];
        std::fill_n(smallest, count, FLT_MAX);

        for (int c = 0; c < clusters; ++c) {
            const float *centroid = centroids + c * FEATURES;
#pragma omp simd
            for (int i = 0; i < count; ++i) {
                float distance = 0.0f;
                for (int f = 0; f < FEATURES; ++f) {
                    const float d = points[f * n + first + i] - centroid[f];
                    distance += d * d;
                }
                // The first of equally near centroids wins.
                const bool closer = distance < smallest[i];
                smallest[i] = closer ? distance : smallest[i];
                nearest[i] = closer ? c : nearest[i];
            }
        }

        for (int i = 0; i < count; ++i) {
            const int c = nearest[i];
            total.moved += membership[first + i] != c;
            membership[first + i] = c;
            total.sizes[c]++;
            for (int f = 0; f < FEATURES; ++f)
                total.sums[c * FEATURES + f] += points[f * n + first + i];
        }
    }
    return total;
}

// New centroids from the sums; a cluster without points stays where it is.
static void update_centroids(float *c, const double *sums, const int *sizes, int clusters)
{
    for (int k = 0; k < clusters * FEATURES; ++k)
        if (sizes[k / FEATURES] > 0)
            c[k] = static_cast<float>(sums[k] / sizes[k / FEATURES]);
}

// One serial iteration, for the check.
static void serial_iteration(const float *points, int *membership, float *c, int n, int clusters)
{
    double sums[MAX_CLUSTERS * FEATURES] = {0.0};
    int sizes[MAX_CLUSTERS] = {0};
    for (int point = 0; point < n; ++point) {
        float smallest = FLT_MAX;
        for (int k = 0; k < clusters; ++k) {
            float distance = 0.0f;
            for (int f = 0; f < FEATURES; ++f) {
                const float d = points[f * n + point] - c[k * FEATURES + f];
                distance += d * d;
            }
            if (distance < smallest) {
                smallest = distance;
                membership[point] = k;
            }
        }
        sizes[membership[point]]++;
        for (int f = 0; f < FEATURES; ++f)
            sums[membership[point] * FEATURES + f] += points[f * n + point];
    }
    update_centroids(c, sums, sizes, clusters);
}

static unsigned lcg = 31415u;

static unsigned next_below(unsigned limit)
{
    lcg = lcg * 1664525u + 1013904223u;
    return (lcg >> 12) % limit;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int clusters = argc > 2 ? std::atoi(argv[2]) : 5;
    const int iterations = argc > 3 ? std::atoi(argv[3]) : 4;
    if (clusters < 1 || clusters > MAX_CLUSTERS || n < clusters || iterations < 1) {
        std::fprintf(stderr, "usage: %s [points] [clusters <= %d] [iterations]\n", argv[0],
                     MAX_CLUSTERS);
        return 2;
    }

    // Clouds around random centres in [0, 16); the first points are the first centroids.
    std::vector<float> points(static_cast<size_t>(n) * FEATURES);
    float centre[MAX_CLUSTERS * FEATURES], current[MAX_CLUSTERS * FEATURES];
    float expected[MAX_CLUSTERS * FEATURES];
    for (int k = 0; k < clusters * FEATURES; ++k)
        centre[k] = static_cast<float>(next_below(16u * 256u)) / 256.0f;
    for (int i = 0; i < n; ++i)
        for (int f = 0; f < FEATURES; ++f)
            points[f * n + i] = centre[(i % clusters) * FEATURES + f] +
                                static_cast<float>(next_below(512u)) / 256.0f;
    for (int c = 0; c < clusters; ++c)
        for (int f = 0; f < FEATURES; ++f)
            current[c * FEATURES + f] = expected[c * FEATURES + f] = points[f * n + c];

    std::vector<int> membership(n, -1), serial(n);
    Clusters result;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < iterations; ++i) {
        result = assign_and_accumulate(points.data(), current, membership.data(), n, clusters);
        update_centroids(current, result.sums, result.sizes, clusters);
    }
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    for (int i = 0; i < iterations; ++i)
        serial_iteration(points.data(), serial.data(), expected, n, clusters);

    // Points half-way between two centroids may fall to either side by rounding.
    int different = 0, total = 0, largest = 0;
    double worst = 0.0, centroid_sum = 0.0;
    for (int i = 0; i < n; ++i)
        different += membership[i] != serial[i];
    for (int k = 0; k < clusters * FEATURES; ++k) {
        worst = std::fmax(worst, std::fabs(static_cast<double>(current[k]) - expected[k]));
        centroid_sum += current[k];
    }
    for (int c = 0; c < clusters; ++c) {
        total += result.sizes[c];
        largest = std::max(largest, result.sizes[c]);
    }

    const bool pass = total == n && result.moved >= 0 && different * 1000.0 <= n && worst < 1e-2;
    std::printf("centroid_sum %.4e\n", centroid_sum);
    std::printf("largest_share %.3f\n", static_cast<double>(largest) / n);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
