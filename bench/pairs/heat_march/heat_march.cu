// Heat in a box: a thread for every column of cells marches through the layers and keeps the cell
// below and the cell above in registers.
//
// usage: heat_march [nx] [ny] [nz] [steps]

#include "heat_march.hpp"

#include <cuda_runtime.h>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

__global__ void march(const float *in, const float *power, float *out, int nx, int ny, int nz)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int j = blockDim.y * blockIdx.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;

    int layer = nx * ny;
    int c = i + j * nx;
    int west = (i == 0) ? c : c - 1;
    int east = (i == nx - 1) ? c : c + 1;
    int north = (j == 0) ? c : c - nx;
    int south = (j == ny - 1) ? c : c + nx;

    float below = in[c], here = in[c], above = in[c + layer];
    out[c] = CENTRE * here + ALONG_X * (in[west] + in[east]) +
             ALONG_Y * (in[north] + in[south]) + ALONG_Z * (below + above) + STEP * power[c];
    for (int k = 1; k < nz - 1; ++k) {
        c += layer;
        west += layer;
        east += layer;
        north += layer;
        south += layer;
        below = here;
        here = above;
        above = in[c + layer];
        out[c] = CENTRE * here + ALONG_X * (in[west] + in[east]) +
                 ALONG_Y * (in[north] + in[south]) + ALONG_Z * (below + above) + STEP * power[c];
    }
    c += layer;
    west += layer;
    east += layer;
    north += layer;
    south += layer;
    below = here;
    here = above;
    out[c] = CENTRE * here + ALONG_X * (in[west] + in[east]) +
             ALONG_Y * (in[north] + in[south]) + ALONG_Z * (below + above) + STEP * power[c];
}

int main(int argc, char **argv)
{
    const Box box = make_box(argc, argv);
    const size_t bytes = box.power.size() * sizeof(float);
    float *d_power, *d_in, *d_out;
    CHECK(cudaMalloc(&d_power, bytes));
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_power, box.power.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_in, box.temperature.data(), bytes, cudaMemcpyHostToDevice));

    const dim3 block(64, 4);
    const dim3 grid((box.nx + block.x - 1) / block.x, (box.ny + block.y - 1) / block.y);
    const Stopwatch watch;
    for (int step = 0; step < box.steps; ++step) {
        march<<<grid, block>>>(d_in, d_power, d_out, box.nx, box.ny, box.nz);
        CHECK(cudaGetLastError());
        std::swap(d_in, d_out);
    }
    CHECK(cudaDeviceSynchronize());
    const double ms = watch.milliseconds();

    std::vector<float> result(box.power.size());
    CHECK(cudaMemcpy(result.data(), d_in, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_power));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return finish(box, result, ms);
}
