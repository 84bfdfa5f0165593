// Lennard-Jones forces: a thread for every atom walks along the list of its neighbours.
//
// usage: neighbour_forces [atoms along an edge] [repeats]

#include "neighbour_forces.hpp"

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void forces(float4 *force, const float4 *position, const int *length,
                       const int *neighbour, float cutoff_squared, float lj1, float lj2, int count)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= count)
        return;
    float4 here = position[idx];
    float4 f = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int k = 0; k < length[idx]; k++) {
        int j = neighbour[k * count + idx];
        float4 there = position[j];
        float dx = here.x - there.x;
        float dy = here.y - there.y;
        float dz = here.z - there.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cutoff_squared) {
            float inverse = 1.0f / r2;
            float sixth = inverse * inverse * inverse;
            float factor = inverse * sixth * (lj1 * sixth - lj2);
            f.x += dx * factor;
            f.y += dy * factor;
            f.z += dz * factor;
        }
    }
    force[idx] = f;
}

int main(int argc, char **argv)
{
    const Atoms atoms = make_atoms(argc, argv);
    const int n = atoms.count;
    const size_t list_bytes = atoms.neighbour.size() * sizeof(int);
    static_assert(sizeof(Vector4) == sizeof(float4), "positions are copied as they are");
    float4 *d_position, *d_force;
    int *d_length, *d_neighbour;
    CHECK(cudaMalloc(&d_position, n * sizeof(float4)));
    CHECK(cudaMalloc(&d_force, n * sizeof(float4)));
    CHECK(cudaMalloc(&d_length, n * sizeof(int)));
    CHECK(cudaMalloc(&d_neighbour, list_bytes));
    CHECK(cudaMemcpy(d_position, atoms.position.data(), n * sizeof(float4),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_length, atoms.length.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_neighbour, atoms.neighbour.data(), list_bytes, cudaMemcpyHostToDevice));

    const Stopwatch watch;
    for (int r = 0; r < atoms.repeats; ++r)
        forces<<<(n + 255) / 256, 256>>>(d_force, d_position, d_length, d_neighbour,
                                         CUTOFF * CUTOFF, LJ1, LJ2, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<Vector4> force(n);
    CHECK(cudaMemcpy(force.data(), d_force, n * sizeof(float4), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_position));
    CHECK(cudaFree(d_force));
    CHECK(cudaFree(d_length));
    CHECK(cudaFree(d_neighbour));
    return finish(atoms, force, ms);
}
