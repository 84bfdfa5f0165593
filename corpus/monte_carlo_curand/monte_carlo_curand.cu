// Price of a European call by Monte Carlo, and the area of a circle, with the generator
// of the cuRAND device library. Both answers are known in closed form.
//
// usage: monte_carlo_curand [threads] [samples per thread]

#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kBlock = 64;

void require(cudaError_t status, int line) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    std::exit(1);
  }
}
#define REQUIRE(call) require((call), __LINE__)

struct Option {
  float spot;
  float strike;
  float rate;
  float volatility;
  float years;
};

// One sequence of the generator for every thread.
__global__ void init_states(curandState *states, unsigned long long seed, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) curand_init(seed, id, 0, &states[id]);
}

// Mean discounted pay-off of the samples of one thread.
__global__ void price_call(curandState *states, float *mean, Option option, int samples, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;

  // Work on a copy: the state lives in registers during the loop.
  curandState local = states[id];
  const float drift = (option.rate - 0.5f * option.volatility * option.volatility) * option.years;
  const float spread = option.volatility * sqrtf(option.years);
  float sum = 0.0f;
  for (int s = 0; s < samples; ++s) {
    const float z = curand_normal(&local);
    const float price = option.spot * expf(drift + spread * z);
    sum += fmaxf(price - option.strike, 0.0f);
  }
  mean[id] = expf(-option.rate * option.years) * sum / samples;
  states[id] = local;
}

// Points inside the unit circle, continuing the sequences where price_call left them.
__global__ void circle_area(curandState *states, unsigned *inside, int samples, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;

  curandState local = states[id];
  unsigned count = 0;
  for (int s = 0; s < samples; ++s) {
    const float x = curand_uniform(&local);
    const float y = curand_uniform(&local);
    if (x * x + y * y <= 1.0f) ++count;
  }
  states[id] = local;
  inside[id] = count;
}

// Closed form of Black and Scholes.
double call_price(const Option &o) {
  const double spread = o.volatility * std::sqrt(o.years);
  const double d1 =
      (std::log(o.spot / o.strike) + (o.rate + 0.5 * o.volatility * o.volatility) * o.years) /
      spread;
  const double d2 = d1 - spread;
  auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  return o.spot * normal(d1) - o.strike * std::exp(-o.rate * o.years) * normal(d2);
}

}  // namespace

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 500;
  const int samples = argc > 2 ? std::atoi(argv[2]) : 200;
  if (n < 1 || samples < 1) {
    std::fprintf(stderr, "usage: %s [threads] [samples per thread]\n", argv[0]);
    return 2;
  }
  const Option option{100.0f, 105.0f, 0.03f, 0.2f, 1.0f};

  curandState *states;
  float *d_mean;
  unsigned *d_inside;
  REQUIRE(cudaMalloc(&states, n * sizeof(curandState)));
  REQUIRE(cudaMalloc(&d_mean, n * sizeof(float)));
  REQUIRE(cudaMalloc(&d_inside, n * sizeof(unsigned)));

  cudaEvent_t start, stop;
  REQUIRE(cudaEventCreate(&start));
  REQUIRE(cudaEventCreate(&stop));
  const int blocks = (n + kBlock - 1) / kBlock;
  REQUIRE(cudaEventRecord(start));
  init_states<<<blocks, kBlock>>>(states, 1234ULL, n);
  price_call<<<blocks, kBlock>>>(states, d_mean, option, samples, n);
  circle_area<<<blocks, kBlock>>>(states, d_inside, samples, n);
  REQUIRE(cudaEventRecord(stop));
  REQUIRE(cudaDeviceSynchronize());
  float ms = 0.0f;
  REQUIRE(cudaEventElapsedTime(&ms, start, stop));

  std::vector<float> mean(n);
  std::vector<unsigned> inside(n);
  REQUIRE(cudaMemcpy(mean.data(), d_mean, n * sizeof(float), cudaMemcpyDeviceToHost));
  REQUIRE(cudaMemcpy(inside.data(), d_inside, n * sizeof(unsigned), cudaMemcpyDeviceToHost));

  double price = 0.0, hits = 0.0;
  for (int i = 0; i < n; ++i) {
    price += mean[i] / n;
    hits += inside[i];
  }
  const double total = static_cast<double>(n) * samples;
  const double area = 4.0 * hits / total;

  // Five standard deviations; that of the pay-off is below 20 for this option.
  const double expected = call_price(option);
  const bool price_ok = std::fabs(price - expected) < 5.0 * 20.0 / std::sqrt(total);
  const bool area_ok = std::fabs(area - 3.14159265358979) < 5.0 * 1.65 / std::sqrt(total);

  // Sampled numbers are not printed: they depend on the generator.
  std::printf("expected_price %.4e\n", expected);
  std::printf("price within tolerance: %s\n", price_ok ? "yes" : "no");
  std::printf("area within tolerance: %s\n", area_ok ? "yes" : "no");
  std::printf("%s\n", price_ok && area_ok ? "PASS" : "FAIL");
  std::printf("time_ms %.3f\n", ms);

  REQUIRE(cudaEventDestroy(start));
  REQUIRE(cudaEventDestroy(stop));
  REQUIRE(cudaFree(states));
  REQUIRE(cudaFree(d_mean));
  REQUIRE(cudaFree(d_inside));
  return price_ok && area_ok ? 0 : 1;
}
