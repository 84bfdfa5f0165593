// Single-source shortest paths, by rounds of relaxation.
//
// relax:  active vertices offer new distances to their neighbours; the smallest offer wins
//         by an atomic minimum.
// settle: vertices whose distance has become smaller are active in the next round.
//
// Weights are int (atomicMin) or float (a minimum built from atomicCAS). The shortest
// distances do not depend on the order of the offers.
//
// usage: sssp_atomic_min [vertices] [edges per vertex]

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#define CUDA_TRY(call)                                                        \
  do {                                                                        \
    cudaError_t const status = (call);                                        \
    if (cudaSuccess != status) {                                              \
      std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));   \
      std::abort();                                                           \
    }                                                                         \
  } while (0)

__device__ void offer_minimum(int* address, int value) { atomicMin(address, value); }

// Same for float, which has no atomicMin: try again until nobody came in between.
__device__ void offer_minimum(float* address, float value)
{
  int* bits    = reinterpret_cast<int*>(address);
  int observed = atomicAdd(bits, 0);  // reads it
  while (value < __int_as_float(observed)) {
    int const assumed = observed;
    observed          = atomicCAS(bits, assumed, __float_as_int(value));
    if (observed == assumed) { return; }
  }
}

template <typename Weight>
__global__ void relax(int const* offsets,
                      int const* targets,
                      Weight const* weights,
                      int* active,
                      Weight const* distance,
                      Weight* offer,
                      int vertices)
{
  int const v = threadIdx.x + blockIdx.x * blockDim.x;
  if (v >= vertices || active[v] == 0) { return; }

  active[v]         = 0;
  Weight const here = distance[v];
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
    offer_minimum(&offer[targets[e]], here + weights[e]);
  }
}

template <typename Weight>
__global__ void settle(
  int* active, Weight* distance, Weight const* offer, int* changed, int vertices)
{
  int const v = threadIdx.x + blockIdx.x * blockDim.x;
  if (v < vertices && offer[v] < distance[v]) {
    distance[v] = offer[v];
    active[v]   = 1;
    atomicAdd(changed, 1);  // counts the vertices that were improved
  }
}

template <typename Weight>
struct Graph {
  std::vector<int> offsets, targets;
  std::vector<Weight> weights;
  int vertices() const { return static_cast<int>(offsets.size()) - 1; }
};

template <typename Weight>
Graph<Weight> random_graph(int vertices, int degree)
{
  Graph<Weight> graph;
  graph.offsets.push_back(0);
  std::uint32_t seed = 1234567u;
  auto next          = [&seed] {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 10;
  };
  for (int v = 0; v < vertices; ++v) {
    // A long way around that reaches everybody, and random short cuts.
    graph.targets.push_back((v + 1) % vertices);
    graph.weights.push_back(static_cast<Weight>(200));
    for (int k = 1; k < degree; ++k) {
      graph.targets.push_back(static_cast<int>(next() % static_cast<unsigned>(vertices)));
      // Eighths are exact in float, so that sums have no rounding.
      graph.weights.push_back(static_cast<Weight>(1 + next() % 800u) / 8);
    }
    graph.offsets.push_back(static_cast<int>(graph.targets.size()));
  }
  return graph;
}

template <typename Weight>
std::vector<Weight> dijkstra(Graph<Weight> const& graph, Weight infinity)
{
  using Item = std::pair<Weight, int>;
  std::vector<Weight> distance(graph.vertices(), infinity);
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
  distance[0] = 0;
  queue.push({Weight(0), 0});
  while (!queue.empty()) {
    auto const [d, v] = queue.top();
    queue.pop();
    if (d > distance[v]) { continue; }
    for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      Weight const candidate = d + graph.weights[e];
      if (candidate < distance[graph.targets[e]]) {
        distance[graph.targets[e]] = candidate;
        queue.push({candidate, graph.targets[e]});
      }
    }
  }
  return distance;
}

template <typename T>
T* upload(std::vector<T> const& host)
{
  T* device = nullptr;
  CUDA_TRY(cudaMalloc(&device, sizeof(T) * host.size()));
  CUDA_TRY(cudaMemcpy(device, host.data(), sizeof(T) * host.size(), cudaMemcpyHostToDevice));
  return device;
}

// Returns the time in ms; `ok` is cleared when a distance is wrong.
template <typename Weight>
float solve(char const* name, int vertices, int degree, bool& ok)
{
  Weight const infinity = std::numeric_limits<Weight>::max() / 2;
  auto const graph      = random_graph<Weight>(vertices, degree);

  std::vector<Weight> distance(vertices, infinity);
  std::vector<int> active(vertices, 0);
  distance[0] = 0;
  active[0]   = 1;

  int* d_offsets     = upload(graph.offsets);
  int* d_targets     = upload(graph.targets);
  Weight* d_weights  = upload(graph.weights);
  int* d_active      = upload(active);
  Weight* d_distance = upload(distance);
  Weight* d_offer    = upload(distance);
  int* d_changed     = nullptr;
  CUDA_TRY(cudaMalloc(&d_changed, sizeof(int)));

  cudaEvent_t start, stop;
  CUDA_TRY(cudaEventCreate(&start));
  CUDA_TRY(cudaEventCreate(&stop));
  CUDA_TRY(cudaEventRecord(start));
  int const threads = 128;
  int const blocks  = (vertices + threads - 1) / threads;
  int rounds        = 0;
  int changed       = 0;
  do {
    CUDA_TRY(cudaMemset(d_changed, 0, sizeof(int)));
    relax<Weight><<<blocks, threads>>>(
      d_offsets, d_targets, d_weights, d_active, d_distance, d_offer, vertices);
    settle<<<blocks, threads>>>(d_active, d_distance, d_offer, d_changed, vertices);
    CUDA_TRY(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
    ++rounds;
  } while (changed > 0);
  CUDA_TRY(cudaEventRecord(stop));
  CUDA_TRY(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_TRY(cudaEventElapsedTime(&ms, start, stop));
  CUDA_TRY(cudaMemcpy(
    distance.data(), d_distance, sizeof(Weight) * distance.size(), cudaMemcpyDeviceToHost));

  ok = ok && distance == dijkstra(graph, infinity);
  double sum = 0;
  for (Weight d : distance) { sum += d; }
  std::printf("%s rounds %d sum %.3f\n", name, rounds, sum);

  CUDA_TRY(cudaEventDestroy(start));
  CUDA_TRY(cudaEventDestroy(stop));
  cudaFree(d_offsets);
  cudaFree(d_targets);
  cudaFree(d_weights);
  cudaFree(d_active);
  cudaFree(d_distance);
  cudaFree(d_offer);
  cudaFree(d_changed);
  return ms;
}

int main(int argc, char** argv)
{
  int const vertices = argc > 1 ? std::atoi(argv[1]) : 1000;
  int const degree   = argc > 2 ? std::atoi(argv[2]) : 4;
  if (vertices < 2 || degree < 1) {
    std::fprintf(stderr, "usage: sssp_atomic_min [vertices] [edges per vertex]\n");
    return 2;
  }
  bool ok  = true;
  float ms = solve<int>("int", vertices, degree, ok);
  ms += solve<float>("float", vertices, degree, ok);
  std::printf("%s\ntime_ms %.3f\n", ok ? "PASS" : "FAIL", ms);
  return ok ? 0 : 1;
}
