// Particles on a line, sorted into cells: kernels compute where each one is and what it feels,
// Thrust orders and sums them up.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s\n", cudaGetErrorString(status));                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

const int kCells = 64;
const float kWidth = 1.0f / kCells;

// Half of the square of a speed.
struct Energy {
    __host__ __device__ float operator()(float v) const { return 0.5f * v * v; }
};

struct Faster {
    float limit;
    __device__ bool operator()(float v) const { return fabsf(v) > limit; }
};

// Moves (position, speed) by one step, with walls at 0 and 1.
struct Move {
    float dt;

    template <typename Particle> __device__ void operator()(Particle p) const
    {
        float x = thrust::get<0>(p) + dt * thrust::get<1>(p);
        if (x < 0.0f || x >= 1.0f) {
            thrust::get<1>(p) = -thrust::get<1>(p);
            x = fminf(fmaxf(x, 0.0f), 0.999f);
        }
        thrust::get<0>(p) = x;
    }
};

__global__ void find_cells(const float *x, int *cell, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = int(x[i] / kWidth);
        cell[i] = c < kCells ? c : kCells - 1;
    }
}

// The particles of a cell and of its neighbours push each other away. Particles are sorted.
__global__ void push(const float *x, const int *cell, const int *first, const int *id, float *v,
                     int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int from = first[max(cell[i] - 1, 0)];
    int to = first[min(cell[i] + 1, kCells - 1) + 1];
    float force = 0.0f;
    for (int j = from; j < to; ++j) {
        float d = x[i] - x[j];
        if (j != i)
            force += d / (d * d + 1e-4f);
    }
    v[id[i]] += 1e-5f * force;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const int steps = argc > 2 ? atoi(argv[2]) : 4;

    thrust::host_vector<float> start(n);
    unsigned state = 12345;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        start[i] = (state >> 8) / 16777216.0f;
    }
    thrust::device_vector<float> x = start, v(n, 0.0f), sorted(n);
    thrust::device_vector<int> cell(n), id(n), first(kCells + 1);
    const int blocks = (n + 127) / 128;

    for (int step = 0; step < steps; ++step) {
        find_cells<<<blocks, 128>>>(thrust::raw_pointer_cast(x.data()),
                                    thrust::raw_pointer_cast(cell.data()), n);
        CHECK(cudaGetLastError());
        thrust::sequence(id.begin(), id.end());
        thrust::copy(thrust::device, x.begin(), x.end(), sorted.begin());
        auto particles = thrust::make_zip_iterator(thrust::make_tuple(sorted.begin(), id.begin()));
        thrust::sort_by_key(cell.begin(), cell.end(), particles);
        thrust::counting_iterator<int> cells(0);
        thrust::lower_bound(cell.begin(), cell.end(), cells, cells + kCells + 1, first.begin());
        push<<<blocks, 128>>>(sorted.data().get(), cell.data().get(), first.data().get(),
                              id.data().get(), v.data().get(), n);
        CHECK(cudaDeviceSynchronize());
        thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), v.begin())),
                         thrust::make_zip_iterator(thrust::make_tuple(x.end(), v.end())),
                         Move{0.01f});
    }

    float energy = thrust::transform_reduce(v.begin(), v.end(), Energy(), 0.0f,
                                            thrust::plus<float>());
    thrust::device_vector<float> fast(n);
    fast.erase(thrust::copy_if(v.begin(), v.end(), fast.begin(), Faster{0.05f}), fast.end());
    int crowded = thrust::max_element(cell.begin(), cell.end()) - cell.begin();

    // How many particles there are in each cell, and in all up to it.
    thrust::device_vector<int> keys(kCells), counts(kCells), up_to(kCells);
    auto ends = thrust::reduce_by_key(cell.begin(), cell.end(), thrust::make_constant_iterator(1),
                                      keys.begin(), counts.begin());
    int used = ends.first - keys.begin();
    thrust::inclusive_scan(counts.begin(), counts.begin() + used, up_to.begin());
    thrust::host_vector<int> result = up_to;

    printf("energy %.6f, %d fast, %d cells used\n", energy, int(fast.size()), used);
    printf("particle %d is in the last cell, %d are in cells up to %d\n", crowded,
           int(result[used / 2]), int(keys[used / 2]));
    return 0;
}
