// Random look-ups in tables of cross sections, as Monte Carlo particle transport does them.
//
// A material is a mixture of substances. Each substance has a table of grid points, sorted
// by energy; a look-up interpolates all reactions of every substance of the material and
// adds them up, weighted with the densities.
//
// usage: table_lookup [look-ups] [substances] [grid points]

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kReactions = 5;
constexpr int kMaterials = 6;
constexpr int kBlockSize = 256;

#define CHECK(call)                                                               \
  if ((call) != cudaSuccess) {                                                    \
    std::printf("CUDA error: %s\n", cudaGetErrorString(cudaGetLastError()));      \
    std::exit(1);                                                                 \
  }

// Random numbers that can be started anywhere.
struct Random {
  unsigned long long state;

  __host__ __device__ explicit Random(unsigned long long start)
      : state(start * 0x9E3779B97F4A7C15ull + 0x2545F4914F6CDD1Dull) {
    next();
  }
  __host__ __device__ unsigned next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>((state >> 32) ^ (state >> 59));
  }
  __host__ __device__ double uniform() { return next() / 4294967296.0; }
};

struct GridPoint {
  double energy;
  double section[kReactions];
};

// The table of one substance; the points belong to somebody else.
struct Table {
  const GridPoint *points;
  int size;

  // Index of the last point that is not above `energy`, but never the very last one.
  __host__ __device__ int find(double energy) const {
    int low = 0;
    int length = size - 1;
    while (length > 1) {
      const int half = length / 2;
      if (points[low + half].energy > energy) {
        length = half;
      } else {
        low += half;
        length -= half;
      }
    }
    return low;
  }

  // Adds the interpolated sections, times `density`, to `total`.
  __host__ __device__ void accumulate(double energy, double density, double *total) const {
    const GridPoint &low = points[find(energy)];
    const GridPoint &high = *(&low + 1);
    const double t = (high.energy - energy) / (high.energy - low.energy);
    for (int r = 0; r < kReactions; ++r)
      total[r] += density * (high.section[r] - t * (high.section[r] - low.section[r]));
  }
};

struct Mixture {
  int first;  // into the lists of members and densities
  int count;
};

// Everything a look-up needs, passed by value.
struct Library {
  const GridPoint *points;
  const int *members;
  const double *densities;
  Mixture materials[kMaterials];
  int points_per_table;

  __host__ __device__ Table table(int substance) const {
    Table t;
    t.points = points + static_cast<size_t>(substance) * points_per_table;
    t.size = points_per_table;
    return t;
  }

  __host__ __device__ void lookup(int material, double energy, double *total) const {
    for (int r = 0; r < kReactions; ++r) total[r] = 0.0;
    const Mixture &mixture = materials[material];
    for (int m = mixture.first; m < mixture.first + mixture.count; ++m)
      table(members[m]).accumulate(energy, densities[m], total);
  }
};

// Which reaction is the most likely one, for the i-th random particle.
__host__ __device__ int dominant_reaction(const Library &library, int i, double *section) {
  Random random(i);
  const double energy = random.uniform();
  // The first material is asked for half of the time.
  const int material = random.next() % 2 == 0 ? 0 : random.next() % kMaterials;

  double total[kReactions];
  library.lookup(material, energy, total);
  int best = 0;
  for (int r = 1; r < kReactions; ++r) {
    if (total[r] > total[best]) best = r;
  }
  *section = total[best];
  return best;
}

__global__ void lookup_kernel(Library library, int lookups, unsigned char *reaction,
                              double *section) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lookups) return;
  reaction[i] = static_cast<unsigned char>(dominant_reaction(library, i, &section[i]));
}

template <typename T>
T *copy_to_device(const std::vector<T> &host) {
  void *device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T *>(device);
}

int main(int argc, char **argv) {
  const int lookups = argc > 1 ? std::atoi(argv[1]) : 2000;
  const int substances = argc > 2 ? std::atoi(argv[2]) : 20;
  const int grid_points = argc > 3 ? std::atoi(argv[3]) : 100;
  if (lookups < 1 || substances < kMaterials || grid_points < 2) {
    std::printf("usage: table_lookup [look-ups] [substances >= %d] [grid points >= 2]\n",
                kMaterials);
    return 2;
  }

  // Tables over the energies from 0 to 1.
  Random random(12345);
  std::vector<GridPoint> points(static_cast<size_t>(substances) * grid_points);
  std::vector<double> energies(grid_points);
  for (int s = 0; s < substances; ++s) {
    for (double &e : energies) e = random.uniform();
    energies.front() = 0.0;
    energies.back() = 1.0;
    std::sort(energies.begin(), energies.end());
    for (int p = 0; p < grid_points; ++p) {
      GridPoint &point = points[static_cast<size_t>(s) * grid_points + p];
      point.energy = energies[p];
      for (double &x : point.section) x = random.uniform();
    }
  }

  // The first material holds half of the substances, the others a few.
  Library host{};
  std::vector<int> members;
  std::vector<double> densities;
  for (int m = 0; m < kMaterials; ++m) {
    const int count = m == 0 ? substances / 2 : 1 + static_cast<int>(random.next() % 6u);
    host.materials[m].first = static_cast<int>(members.size());
    host.materials[m].count = count;
    for (int k = 0; k < count; ++k) {
      members.push_back(static_cast<int>(random.next() % static_cast<unsigned>(substances)));
      densities.push_back(random.uniform());
    }
  }
  host.points = points.data();
  host.members = members.data();
  host.densities = densities.data();
  host.points_per_table = grid_points;

  Library device = host;
  GridPoint *d_points = copy_to_device(points);
  int *d_members = copy_to_device(members);
  double *d_densities = copy_to_device(densities);
  device.points = d_points;
  device.members = d_members;
  device.densities = d_densities;
  unsigned char *d_reaction;
  double *d_section;
  CHECK(cudaMalloc(&d_reaction, lookups));
  CHECK(cudaMalloc(&d_section, lookups * sizeof(double)));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  const int blocks = (lookups + kBlockSize - 1) / kBlockSize;
  lookup_kernel<<<blocks, kBlockSize>>>(device, lookups, d_reaction, d_section);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, start, stop));

  std::vector<unsigned char> reaction(lookups);
  std::vector<double> section(lookups);
  CHECK(cudaMemcpy(reaction.data(), d_reaction, lookups, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(section.data(), d_section, lookups * sizeof(double), cudaMemcpyDeviceToHost));

  long long histogram[kReactions] = {};
  double sum = 0.0;
  bool pass = true;
  for (int i = 0; i < lookups; ++i) {
    double expected;
    dominant_reaction(host, i, &expected);
    pass = pass && std::fabs(section[i] - expected) <= 1e-12 * (1.0 + expected);
    ++histogram[reaction[i]];
    sum += section[i];
  }
  std::printf("histogram");
  for (long long count : histogram) std::printf(" %lld", count);
  std::printf("\nsection_sum %.6e\n", sum);
  std::printf("%s\n", pass ? "PASS" : "FAIL");
  std::printf("time_ms %.3f\n", ms);

  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(d_points));
  CHECK(cudaFree(d_members));
  CHECK(cudaFree(d_densities));
  CHECK(cudaFree(d_reaction));
  CHECK(cudaFree(d_section));
  return pass ? 0 : 1;
}
