// k-means clustering with a fixed number of features.
//
// assign:     every point finds its nearest centroid; the centroids are in constant memory.
// accumulate: sums and sizes of the clusters, first per block in shared memory, then with
//             one atomic addition per block and value.
// The host turns the sums into new centroids.
//
// Coordinates are multiples of 1/256, so the sums are exact and their order is of no account.
//
// usage: kmeans [points] [clusters] [iterations]

#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FEATURES 8
#define MAX_CLUSTERS 64
#define THREADS 128
#define FEATURE(point, f) ((f) * n + (point)) // stored feature by feature

#define CHECK(call)                                                                    \
    do {                                                                               \
        cudaError_t status = (call);                                                   \
        if (status != cudaSuccess) {                                                   \
            fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call,               \
                    cudaGetErrorString(status));                                       \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

__constant__ float centroids[MAX_CLUSTERS * FEATURES];

__global__ void assign(const float *points, int *membership, int *moved, int n, int clusters)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= n)
        return;

    int nearest = -1;
    float smallest = FLT_MAX;
    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (int f = 0; f < FEATURES; f++) {
            float d = points[FEATURE(point, f)] - centroids[c * FEATURES + f];
            distance += d * d;
        }
        // The first of equally near centroids wins.
        if (distance < smallest) {
            smallest = distance;
            nearest = c;
        }
    }

    if (membership[point] != nearest) {
        membership[point] = nearest;
        atomicAdd(moved, 1);
    }
}

// Dynamic shared memory: clusters x FEATURES sums, followed by the sizes.
__global__ void accumulate(const float *points, const int *membership, double *sums, int *sizes,
                           int n, int clusters)
{
    extern __shared__ float block_sums[];
    int *block_sizes = (int *)&block_sums[clusters * FEATURES];

    for (int k = threadIdx.x; k < clusters * FEATURES; k += blockDim.x)
        block_sums[k] = 0.0f;
    for (int c = threadIdx.x; c < clusters; c += blockDim.x)
        block_sizes[c] = 0;
    __syncthreads();

    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point < n) {
        int c = membership[point];
        atomicAdd(&block_sizes[c], 1);
        for (int f = 0; f < FEATURES; f++)
            atomicAdd(&block_sums[c * FEATURES + f], points[FEATURE(point, f)]);
    }
    __syncthreads();

    for (int k = threadIdx.x; k < clusters * FEATURES; k += blockDim.x)
        atomicAdd(&sums[k], (double)block_sums[k]);
    for (int c = threadIdx.x; c < clusters; c += blockDim.x)
        atomicAdd(&sizes[c], block_sizes[c]);
}

// New centroids from the sums; a cluster without points stays where it is.
static void update_centroids(float *c, const double *sums, const int *sizes, int clusters)
{
    for (int k = 0; k < clusters * FEATURES; k++)
        if (sizes[k / FEATURES] > 0)
            c[k] = (float)(sums[k] / sizes[k / FEATURES]);
}

// One serial iteration, for the check.
static void serial_iteration(const float *points, int *membership, float *c, int n, int clusters)
{
    double sums[MAX_CLUSTERS * FEATURES] = {0.0};
    int sizes[MAX_CLUSTERS] = {0};
    for (int point = 0; point < n; point++) {
        float smallest = FLT_MAX;
        for (int k = 0; k < clusters; k++) {
            float distance = 0.0f;
            for (int f = 0; f < FEATURES; f++) {
                float d = points[FEATURE(point, f)] - c[k * FEATURES + f];
                distance += d * d;
            }
            if (distance < smallest) {
                smallest = distance;
                membership[point] = k;
            }
        }
        sizes[membership[point]]++;
        for (int f = 0; f < FEATURES; f++)
            sums[membership[point] * FEATURES + f] += points[FEATURE(point, f)];
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
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int clusters = argc > 2 ? atoi(argv[2]) : 5;
    int iterations = argc > 3 ? atoi(argv[3]) : 4;
    if (clusters < 1 || clusters > MAX_CLUSTERS || n < clusters || iterations < 1) {
        fprintf(stderr, "usage: %s [points] [clusters <= %d] [iterations]\n", argv[0],
                MAX_CLUSTERS);
        return 2;
    }

    // Clouds around random centres in [0, 16); the first points are the first centroids.
    size_t point_bytes = sizeof(float) * n * FEATURES;
    size_t sum_bytes = sizeof(double) * clusters * FEATURES;
    float *points = (float *)malloc(point_bytes);
    float centre[MAX_CLUSTERS * FEATURES], current[MAX_CLUSTERS * FEATURES];
    float expected[MAX_CLUSTERS * FEATURES];
    for (int k = 0; k < clusters * FEATURES; k++)
        centre[k] = (float)next_below(16u * 256u) / 256.0f;
    for (int i = 0; i < n; i++)
        for (int f = 0; f < FEATURES; f++)
            points[FEATURE(i, f)] =
                centre[(i % clusters) * FEATURES + f] + (float)next_below(512u) / 256.0f;
    for (int c = 0; c < clusters; c++)
        for (int f = 0; f < FEATURES; f++)
            current[c * FEATURES + f] = expected[c * FEATURES + f] = points[FEATURE(c, f)];

    float *d_points;
    double *d_sums, sums[MAX_CLUSTERS * FEATURES];
    int *d_membership, *d_sizes, *d_moved, sizes[MAX_CLUSTERS], moved = 0;
    CHECK(cudaMalloc((void **)&d_points, point_bytes));
    CHECK(cudaMalloc((void **)&d_membership, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_sums, sum_bytes));
    CHECK(cudaMalloc((void **)&d_sizes, clusters * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_moved, sizeof(int)));
    CHECK(cudaMemcpy(d_points, points, point_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_membership, 0xff, n * sizeof(int))); // -1: in no cluster yet

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, 0));
    int blocks = (n + THREADS - 1) / THREADS;
    size_t shared = clusters * (FEATURES * sizeof(float) + sizeof(int));
    for (int i = 0; i < iterations; i++) {
        CHECK(cudaMemcpyToSymbol(centroids, current, sizeof(float) * clusters * FEATURES));
        CHECK(cudaMemset(d_moved, 0, sizeof(int)));
        CHECK(cudaMemset(d_sums, 0, sum_bytes));
        CHECK(cudaMemset(d_sizes, 0, clusters * sizeof(int)));
        assign<<<blocks, THREADS>>>(d_points, d_membership, d_moved, n, clusters);
        accumulate<<<blocks, THREADS, shared>>>(d_points, d_membership, d_sums, d_sizes, n,
                                                clusters);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(sums, d_sums, sum_bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(sizes, d_sizes, clusters * sizeof(int), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&moved, d_moved, sizeof(int), cudaMemcpyDeviceToHost));
        update_centroids(current, sums, sizes, clusters);
    }
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));

    int *membership = (int *)malloc(n * sizeof(int));
    int *serial = (int *)malloc(n * sizeof(int));
    CHECK(cudaMemcpy(membership, d_membership, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < iterations; i++)
        serial_iteration(points, serial, expected, n, clusters);

    // Points half-way between two centroids may fall to either side by rounding.
    int different = 0, total = 0, largest = 0;
    double worst = 0.0, centroid_sum = 0.0;
    for (int i = 0; i < n; i++)
        different += membership[i] != serial[i];
    for (int k = 0; k < clusters * FEATURES; k++) {
        worst = fmax(worst, fabs((double)current[k] - expected[k]));
        centroid_sum += current[k];
    }
    for (int c = 0; c < clusters; c++) {
        total += sizes[c];
        largest = sizes[c] > largest ? sizes[c] : largest;
    }

    int pass = total == n && moved >= 0 && different * 1000.0 <= n && worst < 1e-2;
    printf("centroid_sum %.4e\n", centroid_sum);
    printf("largest_share %.3f\n", (double)largest / n);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_points));
    CHECK(cudaFree(d_membership));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_sizes));
    CHECK(cudaFree(d_moved));
    free(points);
    free(membership);
    free(serial);
    return pass ? 0 : 1;
}
