// PageRank by power iteration. The transposed graph is stored as CSR, so that a thread
// gathers what flows into its page and nobody writes to another's result.
//
// usage: pagerank_csr [pages] [links per page] [max iterations]

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

static constexpr unsigned kBlock = 256;
static constexpr double kDamping = 0.85;

static void check(cudaError_t status, int line) {
  if (status != cudaSuccess) {
    fprintf(stderr, "CUDA call in line %d: %s\n", line, cudaGetErrorString(status));
    exit(1);
  }
}
#define CHECK(...) check(__VA_ARGS__, __LINE__)

// Transposed link matrix: sources[offsets[p] .. offsets[p + 1]) link to page p.
struct Links {
  std::vector<unsigned> offsets, sources, out_degree;
};

// share[p]: what page p hands to each page it links to.
__global__ void compute_share(const double *rank, const unsigned *out_degree, double *share,
                              unsigned pages) {
  const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < pages) share[p] = rank[p] / out_degree[p];
}

__global__ void gather_rank(const unsigned *__restrict__ offsets,
                            const unsigned *__restrict__ sources,
                            const double *__restrict__ share, double *__restrict__ rank,
                            double *__restrict__ change, double base, unsigned pages) {
  __shared__ double moved[kBlock];
  const unsigned t = threadIdx.x;
  const unsigned p = blockIdx.x * blockDim.x + t;

  moved[t] = 0.0;
  if (p < pages) {
    double sum = 0.0;
    for (unsigned k = offsets[p]; k < offsets[p + 1]; ++k) sum += share[sources[k]];
    const double updated = base + kDamping * sum;
    moved[t] = fabs(updated - rank[p]);
    rank[p] = updated;
  }
  __syncthreads();

  // How much the ranks of this block have moved, for the stopping test.
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) moved[t] += moved[t + s];
    __syncthreads();
  }
  if (t == 0) change[blockIdx.x] = moved[0];
}

static Links random_links(unsigned pages, unsigned links_per_page) {
  Links links;
  std::vector<unsigned> from, to;
  links.out_degree.assign(pages, 0u);
  unsigned seed = 2463534242u;
  auto next = [&seed]() {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
  };
  for (unsigned p = 0; p < pages; ++p) {
    const unsigned count = 1 + next() % (2 * links_per_page - 1);  // no page without a link
    for (unsigned k = 0; k < count; ++k) {
      // Half of the links lead to the first eighth of the pages.
      const unsigned range = next() % 2 == 0 ? pages : pages / 8 + 1;
      from.push_back(p);
      to.push_back(next() % range);
      ++links.out_degree[p];
    }
  }
  // Counting sort by target.
  links.offsets.assign(pages + 1, 0u);
  for (unsigned target : to) ++links.offsets[target + 1];
  std::partial_sum(links.offsets.begin(), links.offsets.end(), links.offsets.begin());
  links.sources.resize(to.size());
  std::vector<unsigned> cursor(links.offsets.begin(), links.offsets.end() - 1);
  for (size_t k = 0; k < to.size(); ++k) links.sources[cursor[to[k]]++] = from[k];
  return links;
}

template <typename T>
static T *to_device(const std::vector<T> &host) {
  T *device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char **argv) {
  const unsigned pages = argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 1500u;
  const unsigned per_page = argc > 2 ? static_cast<unsigned>(atoi(argv[2])) : 4u;
  const int max_iterations = argc > 3 ? atoi(argv[3]) : 15;
  if (pages < 8 || per_page < 1 || max_iterations < 1) {
    fprintf(stderr, "usage: pagerank_csr [pages >= 8] [links per page] [max iterations]\n");
    return 2;
  }

  const Links links = random_links(pages, per_page);
  const unsigned blocks = (pages + kBlock - 1) / kBlock;
  const double base = (1.0 - kDamping) / pages;
  const double threshold = 1e-10;

  unsigned *d_offsets = to_device(links.offsets);
  unsigned *d_sources = to_device(links.sources);
  unsigned *d_out_degree = to_device(links.out_degree);
  double *d_rank = to_device(std::vector<double>(pages, 1.0 / pages));
  double *d_share, *d_change;
  CHECK(cudaMalloc(&d_share, pages * sizeof(double)));
  CHECK(cudaMalloc(&d_change, blocks * sizeof(double)));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  std::vector<double> change(blocks);
  int iterations = 0;
  for (double moved = 1.0; moved > threshold && iterations < max_iterations; ++iterations) {
    compute_share<<<blocks, kBlock>>>(d_rank, d_out_degree, d_share, pages);
    gather_rank<<<blocks, kBlock>>>(d_offsets, d_sources, d_share, d_rank, d_change, base, pages);
    CHECK(cudaMemcpy(change.data(), d_change, blocks * sizeof(double), cudaMemcpyDeviceToHost));
    moved = std::accumulate(change.begin(), change.end(), 0.0);
  }
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, start, stop));

  std::vector<double> rank(pages);
  CHECK(cudaMemcpy(rank.data(), d_rank, pages * sizeof(double), cudaMemcpyDeviceToHost));

  // The same number of iterations, serially.
  std::vector<double> expected(pages, 1.0 / pages), share(pages);
  for (int i = 0; i < iterations; ++i) {
    for (unsigned p = 0; p < pages; ++p) share[p] = expected[p] / links.out_degree[p];
    for (unsigned p = 0; p < pages; ++p) {
      double sum = 0.0;
      for (unsigned k = links.offsets[p]; k < links.offsets[p + 1]; ++k)
        sum += share[links.sources[k]];
      expected[p] = base + kDamping * sum;
    }
  }
  double worst = 0.0, total = 0.0;
  for (unsigned p = 0; p < pages; ++p) {
    worst = std::max(worst, std::fabs(rank[p] - expected[p]) * pages);
    total += rank[p];
  }

  const bool pass = worst < 1e-9 && std::fabs(total - 1.0) < 1e-9;
  printf("links %zu\n", links.sources.size());
  printf("iterations %d\n", iterations);
  printf("largest_rank %.6e\n", *std::max_element(rank.begin(), rank.end()));
  printf("%s\n", pass ? "PASS" : "FAIL");
  printf("time_ms %.3f\n", ms);

  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  for (void *p : {static_cast<void *>(d_offsets), static_cast<void *>(d_sources),
                  static_cast<void *>(d_out_degree), static_cast<void *>(d_rank),
                  static_cast<void *>(d_share), static_cast<void *>(d_change)})
    CHECK(cudaFree(p));
  return pass ? 0 : 1;
}
