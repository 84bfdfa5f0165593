// Lattice Boltzmann flow around a cylinder: D2Q9, BGK collision, pull streaming.
//
// The domain is periodic in both directions and a constant force drives the fluid to the
// right. Solid cells reflect what would stream out of them (half-way bounce-back).
//
// usage: lbm_d2q9 [nx] [ny] [steps]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define Q 9
#define OMEGA 1.2f   // relaxation rate
#define FORCE 1e-5f  // momentum put in per cell and step
#define BLOCK_X 64
#define BLOCK_Y 4

// Cells are numbered row by row; distributions are stored direction by direction.
#define CELL(x, y) ((y) * nx + (x))
#define F(f, q, cell) (f)[(size_t)(q) * nx * ny + (cell)]

// Periodic wrap-around of a coordinate that is off by at most one.
#define WRAP(i, n) ((i) < 0 ? (i) + (n) : (i) >= (n) ? (i) - (n) : (i))

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t result = (call);                                                             \
    if (result != cudaSuccess) {                                                             \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(result));         \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)

//   6 2 5
//   3 0 1
//   7 4 8
__constant__ int c_dx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int c_dy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int c_opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float c_weight[Q] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                  1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

// One time step: every fluid cell pulls from its neighbours, collides and stores.
__global__ void stream_collide(const float *__restrict__ src, float *__restrict__ dst,
                               const unsigned char *__restrict__ solid, int nx, int ny)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;

  const int cell = CELL(x, y);
  if (solid[cell]) {
    // Nothing moves inside the obstacle.
    for (int q = 0; q < Q; ++q)
      F(dst, q, cell) = F(src, q, cell);
    return;
  }

  // Stream in; from the obstacle comes back what this cell sent there.
  float f[Q];
  float rho = 0.0f, ux = 0.0f, uy = 0.0f;
  for (int q = 0; q < Q; ++q) {
    int from_x = x - c_dx[q];
    int from_y = y - c_dy[q];
    int from = CELL(WRAP(from_x, nx), WRAP(from_y, ny));
    f[q] = solid[from] ? F(src, c_opposite[q], cell) : F(src, q, from);
    rho += f[q];
    ux += c_dx[q] * f[q];
    uy += c_dy[q] * f[q];
  }
  ux = ux / rho;
  uy = uy / rho;

  // Relax towards the equilibrium.
  const float uu = 1.5f * (ux * ux + uy * uy);
  for (int q = 0; q < Q; ++q) {
    float cu = 3.0f * (c_dx[q] * ux + c_dy[q] * uy);
    float equilibrium = c_weight[q] * rho * (1.0f + cu + 0.5f * cu * cu - uu);
    float push = 3.0f * c_weight[q] * c_dx[q] * FORCE;
    F(dst, q, cell) = f[q] + OMEGA * (equilibrium - f[q]) + push;
  }
}

// The same step, serially and in double precision.
static void reference_step(const std::vector<float> &src, std::vector<double> &dst,
                           const std::vector<unsigned char> &solid, int nx, int ny)
{
  static const int dx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  static const int dy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      const int cell = CELL(x, y);
      double f[Q], rho = 0, ux = 0, uy = 0;
      for (int q = 0; q < Q; ++q) {
        const int from = CELL((x - dx[q] + nx) % nx, (y - dy[q] + ny) % ny);
        f[q] = solid[from] ? F(src, opposite[q], cell) : F(src, q, from);
        rho += f[q];
        ux += dx[q] * f[q];
        uy += dy[q] * f[q];
      }
      ux /= rho;
      uy /= rho;
      for (int q = 0; q < Q; ++q) {
        const double w = q == 0 ? 4.0 / 9 : q < 5 ? 1.0 / 9 : 1.0 / 36;
        const double cu = 3 * (dx[q] * ux + dy[q] * uy);
        const double eq = w * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
        F(dst, q, cell) = solid[cell] ? static_cast<double>(F(src, q, cell))
                                      : f[q] + OMEGA * (eq - f[q]) + 3 * w * dx[q] * FORCE;
      }
    }
  }
}

int main(int argc, char **argv)
{
  const int nx = argc > 1 ? atoi(argv[1]) : 100;
  const int ny = argc > 2 ? atoi(argv[2]) : 30;
  const int steps = argc > 3 ? atoi(argv[3]) : 10;
  if (nx < 8 || ny < 8 || steps < 1) {
    fprintf(stderr, "usage: lbm_d2q9 [nx >= 8] [ny >= 8] [steps]\n");
    return 2;
  }

  // Fluid at rest with a slightly disturbed density, a cylinder in the first third.
  const size_t cells = static_cast<size_t>(nx) * ny;
  std::vector<float> f(Q * cells);
  std::vector<unsigned char> solid(cells);
  const float radius = ny / 6.0f;
  unsigned seed = 17;
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      const float rx = x - nx / 3.0f, ry = y - ny / 2.0f;
      solid[CELL(x, y)] = rx * rx + ry * ry < radius * radius;
      seed = seed * 69069u + 1u;
      const float rho = 1.0f + 0.01f * static_cast<float>(seed >> 16) / 65536.0f;
      for (int q = 0; q < Q; ++q)
        F(f, q, CELL(x, y)) = rho * (q == 0 ? 4.0f / 9 : q < 5 ? 1.0f / 9 : 1.0f / 36);
    }
  }

  const size_t bytes = Q * cells * sizeof(float);
  float *d_src, *d_dst;
  unsigned char *d_solid;
  CHECK(cudaMalloc(&d_src, bytes));
  CHECK(cudaMalloc(&d_dst, bytes));
  CHECK(cudaMalloc(&d_solid, cells));
  CHECK(cudaMemcpy(d_src, f.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_solid, solid.data(), cells, cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  const dim3 block(BLOCK_X, BLOCK_Y);
  const dim3 grid((nx + BLOCK_X - 1) / BLOCK_X, (ny + BLOCK_Y - 1) / BLOCK_Y);
  CHECK(cudaEventRecord(start));
  for (int t = 0; t < steps; ++t) {
    stream_collide<<<grid, block>>>(d_src, d_dst, d_solid, nx, ny);
    std::swap(d_src, d_dst);
  }
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaGetLastError());
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, start, stop));

  // After the swap d_dst is the state before the last step: repeat that one on the host.
  std::vector<float> before(Q * cells);
  std::vector<double> expected(Q * cells);
  CHECK(cudaMemcpy(before.data(), d_dst, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(f.data(), d_src, bytes, cudaMemcpyDeviceToHost));
  reference_step(before, expected, solid, nx, ny);

  double worst = 0.0, mass = 0.0, flow = 0.0;
  for (size_t i = 0; i < Q * cells; ++i) {
    worst = std::fmax(worst, std::fabs(f[i] - expected[i]));
    mass += f[i];
  }
  for (size_t c = 0; c < cells; ++c)
    if (!solid[c])
      flow += (F(f, 1, c) + F(f, 5, c) + F(f, 8, c)) - (F(f, 3, c) + F(f, 6, c) + F(f, 7, c));

  const bool pass = worst < 1e-5 && std::fabs(mass / cells - 1.005) < 1e-2;
  printf("mass %.4e\n", mass);
  printf("flow %.2e\n", flow);
  printf("%s\n", pass ? "PASS" : "FAIL");
  printf("time_ms %.3f\n", ms);

  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(d_src));
  CHECK(cudaFree(d_dst));
  CHECK(cudaFree(d_solid));
  return pass ? 0 : 1;
}
