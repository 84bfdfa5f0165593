// Jacobi relaxation of the Poisson equation  laplace(u) = f  on a box, u = 0 on its surface.
//
// usage: jacobi3d [nx ny nz [sweeps]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

struct Grid {
  int nx, ny, nz;  // points along each axis, the surface included
  double h2;       // squared mesh width

  size_t points() const { return static_cast<size_t>(nx) * ny * nz; }
};

static void require(cudaError_t result)
{
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(result));
    exit(EXIT_FAILURE);
  }
}

__device__ __forceinline__ int flatten(const Grid &g, int x, int y, int z)
{
  return (z * g.ny + y) * g.nx + x;
}

__global__ void relax(Grid g, const double *u, const double *f, double *u_new)
{
  const int x = blockDim.x * blockIdx.x + threadIdx.x;
  const int y = blockDim.y * blockIdx.y + threadIdx.y;
  const int z = blockDim.z * blockIdx.z + threadIdx.z;

  // Outside of the box, or on its surface: nothing to relax.
  if (x == 0 || y == 0 || z == 0)
    return;
  if (x >= g.nx - 1 || y >= g.ny - 1 || z >= g.nz - 1)
    return;

  double sum = u[flatten(g, x - 1, y, z)] + u[flatten(g, x + 1, y, z)];
  sum += u[flatten(g, x, y - 1, z)] + u[flatten(g, x, y + 1, z)];
  sum += u[flatten(g, x, y, z - 1)] + u[flatten(g, x, y, z + 1)];
  const int here = flatten(g, x, y, z);
  u_new[here] = (sum - g.h2 * f[here]) / 6.0;
}

static void relax_serial(const Grid &g, const std::vector<double> &u,
                         const std::vector<double> &f, std::vector<double> &u_new)
{
  const int row = g.nx;
  const int slab = g.nx * g.ny;
  for (int z = 1; z < g.nz - 1; ++z)
    for (int y = 1; y < g.ny - 1; ++y)
      for (int x = 1; x < g.nx - 1; ++x) {
        const int c = z * slab + y * row + x;
        const double sum =
            u[c - 1] + u[c + 1] + u[c - row] + u[c + row] + u[c - slab] + u[c + slab];
        u_new[c] = (sum - g.h2 * f[c]) / 6.0;
      }
}

int main(int argc, char **argv)
{
  Grid g{34, 18, 13, 0.0};
  int sweeps = 6;
  if (argc > 3) {
    g.nx = atoi(argv[1]);
    g.ny = atoi(argv[2]);
    g.nz = atoi(argv[3]);
  }
  if (argc > 4)
    sweeps = atoi(argv[4]);
  const double h = 1.0 / (g.nx - 1);
  g.h2 = h * h;

  std::vector<double> u(g.points(), 0.0), f(g.points());
  unsigned state = 31u;
  for (double &value : f) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<double>(state >> 16) / 32768.0 - 1.0;  // in [-1, 1)
  }

  const size_t bytes = g.points() * sizeof(double);
  double *d_u[2], *d_f;
  require(cudaMalloc(&d_u[0], bytes));
  require(cudaMalloc(&d_u[1], bytes));
  require(cudaMalloc(&d_f, bytes));
  require(cudaMemset(d_u[0], 0, bytes));
  require(cudaMemset(d_u[1], 0, bytes));
  require(cudaMemcpy(d_f, f.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 threads(16, 4, 4);
  const dim3 blocks((g.nx + threads.x - 1) / threads.x, (g.ny + threads.y - 1) / threads.y,
                    (g.nz + threads.z - 1) / threads.z);
  cudaEvent_t t0, t1;
  require(cudaEventCreate(&t0));
  require(cudaEventCreate(&t1));
  require(cudaEventRecord(t0));
  for (int s = 0; s < sweeps; ++s) {
    const int from = s % 2;
    relax<<<blocks, threads>>>(g, d_u[from], d_f, d_u[1 - from]);
  }
  require(cudaEventRecord(t1));
  require(cudaEventSynchronize(t1));
  float ms = 0.0f;
  require(cudaEventElapsedTime(&ms, t0, t1));

  std::vector<double> result(g.points());
  require(cudaMemcpy(result.data(), d_u[sweeps % 2], bytes, cudaMemcpyDeviceToHost));

  std::vector<double> u_new(g.points(), 0.0);
  for (int s = 0; s < sweeps; ++s) {
    relax_serial(g, u, f, u_new);
    u.swap(u_new);
  }
  double error = 0.0, norm = 0.0, extreme = 0.0;
  for (size_t c = 0; c < result.size(); ++c) {
    error = std::fmax(error, std::fabs(result[c] - u[c]));
    extreme = std::fmax(extreme, std::fabs(u[c]));
    norm += result[c] * result[c];
  }
  const bool pass = error <= 1e-12 * extreme;

  printf("time_ms %.3f\n", ms);
  printf("norm %.6e\n", std::sqrt(norm));
  printf("extreme %.6e\n", extreme);
  puts(pass ? "PASS" : "FAIL");

  require(cudaEventDestroy(t0));
  require(cudaEventDestroy(t1));
  require(cudaFree(d_u[0]));
  require(cudaFree(d_u[1]));
  require(cudaFree(d_f));
  return pass ? 0 : 1;
}
