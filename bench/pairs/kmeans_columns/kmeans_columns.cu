// k-means: the points are turned feature by feature, so that neighbouring threads read neighbouring
// values; then a thread for every point finds the nearest centre.
//
// usage: kmeans_columns [points] [features] [clusters] [iterations]

#include "kmeans_columns.hpp"

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

__global__ void invert(const float *input, float *output, int npoints, int nfeatures)
{
    int point = threadIdx.x + blockDim.x * blockIdx.x;
    if (point < npoints) {
        for (int j = 0; j < nfeatures; j++)
            output[point + npoints * j] = input[point * nfeatures + j];
    }
}

__global__ void find_nearest(const float *feature, const float *centres, int *membership,
                             int npoints, int nclusters, int nfeatures)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= npoints)
        return;

    int index = -1;
    float smallest = FLT_MAX;
    for (int c = 0; c < nclusters; c++) {
        float distance = 0.0f;
        for (int j = 0; j < nfeatures; j++) {
            float difference = feature[j * npoints + point] - centres[c * nfeatures + j];
            distance += difference * difference;
        }
        if (distance < smallest) {
            smallest = distance;
            index = c;
        }
    }
    membership[point] = index;
}

int main(int argc, char **argv)
{
    const Problem problem = make_problem(argc, argv);
    const int n = problem.points;
    const size_t point_bytes = problem.input.size() * sizeof(float);
    const size_t centre_bytes = problem.centres.size() * sizeof(float);

    float *d_input, *d_feature, *d_centres;
    int *d_membership;
    CHECK(cudaMalloc(&d_input, point_bytes));
    CHECK(cudaMalloc(&d_feature, point_bytes));
    CHECK(cudaMalloc(&d_centres, centre_bytes));
    CHECK(cudaMalloc(&d_membership, n * sizeof(int)));
    CHECK(cudaMemcpy(d_input, problem.input.data(), point_bytes, cudaMemcpyHostToDevice));

    std::vector<float> centres = problem.centres;
    std::vector<int> membership(n);
    const int blocks = (n + BLOCK - 1) / BLOCK;
    const Stopwatch watch;
    invert<<<blocks, BLOCK>>>(d_input, d_feature, n, problem.features);
    for (int i = 0; i < problem.iterations; ++i) {
        CHECK(cudaMemcpy(d_centres, centres.data(), centre_bytes, cudaMemcpyHostToDevice));
        find_nearest<<<blocks, BLOCK>>>(d_feature, d_centres, d_membership, n, problem.clusters,
                                        problem.features);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(membership.data(), d_membership, n * sizeof(int),
                         cudaMemcpyDeviceToHost));
        update_centres(problem, membership.data(), centres);
    }
    const double ms = watch.milliseconds();

    CHECK(cudaFree(d_input));
    CHECK(cudaFree(d_feature));
    CHECK(cudaFree(d_centres));
    CHECK(cudaFree(d_membership));
    return finish(problem, centres, ms);
}
