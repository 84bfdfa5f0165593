// The gain of opening a facility: a thread for every point, its coordinates dimension by dimension.
//
// usage: facility_gain [points] [dimensions] [open] [candidates]

#include "facility_gain.hpp"

#include <cuda_runtime.h>

constexpr int BLOCK = 512;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__device__ float squared_distance(int p, int q, int num, int dim, const float *coord)
{
    float sum = 0.0f;
    for (int d = 0; d < dim; d++) {
        float difference = coord[d * num + p] - coord[d * num + q];
        sum += difference * difference;
    }
    return sum;
}

__global__ void evaluate(int num, int dim, int x, const float *coord, const float *weight,
                         const float *cost, const int *assigned, double *change, double *closing)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= num)
        return;

    float x_cost = squared_distance(i, x, num, dim, coord) * weight[i];
    if (x_cost < cost[i])
        atomicAdd(change, (double)(x_cost - cost[i]));
    else
        atomicAdd(&closing[assigned[i]], (double)(cost[i] - x_cost));
}

template <typename T> static T *to_device(const std::vector<T> &values)
{
    T *device;
    CHECK(cudaMalloc(&device, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv)
{
    const Instance instance = make_instance(argc, argv);
    const int n = instance.points, open = instance.open, candidates = instance.candidates;
    float *d_coordinate = to_device(instance.coordinate);
    float *d_weight = to_device(instance.weight);
    float *d_cost = to_device(instance.cost);
    int *d_assigned = to_device(instance.assigned);
    double *d_change, *d_closing;
    CHECK(cudaMalloc(&d_change, candidates * sizeof(double)));
    CHECK(cudaMalloc(&d_closing, candidates * open * sizeof(double)));

    const Stopwatch watch;
    CHECK(cudaMemset(d_change, 0, candidates * sizeof(double)));
    CHECK(cudaMemset(d_closing, 0, candidates * open * sizeof(double)));
    for (int k = 0; k < candidates; ++k) {
        evaluate<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(
            n, instance.dimensions, candidate_point(instance, k), d_coordinate, d_weight, d_cost,
            d_assigned, d_change + k, d_closing + k * open);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    Gain gain{std::vector<double>(candidates), std::vector<double>(candidates * open)};
    CHECK(cudaMemcpy(gain.change.data(), d_change, candidates * sizeof(double),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(gain.closing.data(), d_closing, candidates * open * sizeof(double),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_coordinate));
    CHECK(cudaFree(d_weight));
    CHECK(cudaFree(d_cost));
    CHECK(cudaFree(d_assigned));
    CHECK(cudaFree(d_change));
    CHECK(cudaFree(d_closing));
    return finish(instance, gain, ms);
}
