// All shortest paths of a directed graph after Floyd and Warshall, with the next hop of each path.
//
// usage: floyd_warshall [vertices]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t rc = (call);                                                                       \
    if (rc != cudaSuccess) {                                                                       \
      std::fprintf(stderr, "CUDA error at line %d: %s\n", __LINE__, cudaGetErrorString(rc));       \
      std::exit(3);                                                                                \
    }                                                                                              \
  } while (0)

// Large, and the sum of two of them is no overflow.
const int UNREACHABLE = 1 << 29;

__global__ void relax_through(int *distance, int *next, int vertices, int k)
{
  const int to = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = blockIdx.y * blockDim.y + threadIdx.y;
  if (from >= vertices || to >= vertices)
    return;

  // Row k and column k do not change in pass k, because the way from k to k has length zero. So
  // no thread writes what another one reads.
  const int detour = distance[from * vertices + k] + distance[k * vertices + to];
  if (detour < distance[from * vertices + to]) {
    distance[from * vertices + to] = detour;
    next[from * vertices + to] = next[from * vertices + k];
  }
}

static void shortest_paths_serial(std::vector<int> &distance, std::vector<int> &next, int n)
{
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int detour = distance[i * n + k] + distance[k * n + j];
        if (detour < distance[i * n + j]) {
          distance[i * n + j] = detour;
          next[i * n + j] = next[i * n + k];
        }
      }
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? std::atoi(argv[1]) : 40;
  const size_t bytes = static_cast<size_t>(n) * n * sizeof(int);

  // Each vertex has about eight outgoing edges of length 1 to 100.
  std::vector<int> distance(static_cast<size_t>(n) * n, UNREACHABLE);
  std::vector<int> next(distance.size(), -1);
  unsigned state = 60221u;
  for (int i = 0; i < n; ++i) {
    for (int edge = 0; edge < 8; ++edge) {
      state = state * 1664525u + 1013904223u;
      const int to = static_cast<int>((state >> 8) % static_cast<unsigned>(n));
      state = state * 1664525u + 1013904223u;
      distance[i * n + to] = 1 + static_cast<int>((state >> 8) % 100u);
      next[i * n + to] = to;
    }
    distance[i * n + i] = 0;
    next[i * n + i] = i;
  }

  int *d_distance, *d_next;
  CHECK(cudaMalloc(&d_distance, bytes));
  CHECK(cudaMalloc(&d_next, bytes));
  CHECK(cudaMemcpy(d_distance, distance.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_next, next.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(32, 4);
  const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  for (int k = 0; k < n; ++k)
    relax_through<<<grid, block>>>(d_distance, d_next, n, k);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, start, stop));

  std::vector<int> result(distance.size()), hops(distance.size());
  CHECK(cudaMemcpy(result.data(), d_distance, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hops.data(), d_next, bytes, cudaMemcpyDeviceToHost));

  shortest_paths_serial(distance, next, n);
  const bool ok = result == distance && hops == next;

  long long sum = 0;
  int diameter = 0;
  for (int d : result) {
    if (d == UNREACHABLE)
      continue;
    sum += d;
    diameter = d > diameter ? d : diameter;
  }
  // Follow one path from hop to hop.
  int length = 0;
  const int goal = n / 2;
  for (int v = 0; v != goal && v >= 0; v = hops[v * n + goal])
    ++length;

  std::printf("time_ms %.3f\n", ms);
  std::printf("sum %lld\n", sum);
  std::printf("diameter %d\n", diameter);
  std::printf("hops on the way %d\n", length);
  std::printf("%s\n", ok ? "PASS" : "FAIL");

  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(d_distance));
  CHECK(cudaFree(d_next));
  return ok ? 0 : 1;
}
