// Layer normalisation with vector loads, for float (float4) and double (double2).
//
//   y = gamma * (x - mean) / sqrt(variance + epsilon) + beta      for every row
//
// usage: layernorm [rows] [hidden] [repeat]
//   hidden has to be a multiple of 4

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kThreads = 64;

inline void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(EXIT_FAILURE);
}

// The widest 16-byte vector of T, and the few operations on it used below.
template <typename T>
struct Pack;

template <>
struct Pack<float> {
  using Type = float4;
  static constexpr int kWidth = 4;
  static __device__ float sum(float4 v) { return (v.x + v.y) + (v.z + v.w); }
  static __device__ float squares(float4 v, float mean) {
    float a = v.x - mean, b = v.y - mean, c = v.z - mean, d = v.w - mean;
    return a * a + b * b + c * c + d * d;
  }
  static __device__ float4 affine(float4 v, float mean, float scale, float4 gamma, float4 beta) {
    return make_float4((v.x - mean) * scale * gamma.x + beta.x,
                       (v.y - mean) * scale * gamma.y + beta.y,
                       (v.z - mean) * scale * gamma.z + beta.z,
                       (v.w - mean) * scale * gamma.w + beta.w);
  }
};

template <>
struct Pack<double> {
  using Type = double2;
  static constexpr int kWidth = 2;
  static __device__ double sum(double2 v) { return v.x + v.y; }
  static __device__ double squares(double2 v, double mean) {
    double a = v.x - mean, b = v.y - mean;
    return a * a + b * b;
  }
  static __device__ double2 affine(double2 v, double mean, double scale, double2 gamma,
                                   double2 beta) {
    return make_double2((v.x - mean) * scale * gamma.x + beta.x,
                        (v.y - mean) * scale * gamma.y + beta.y);
  }
};

// Sum over a block of kThreads threads, returned to all of them.
template <typename T>
__device__ T block_sum(T value, T *buffer) {
  const int tid = threadIdx.x;
  buffer[tid] = value;
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (tid < stride) buffer[tid] += buffer[tid + stride];
    __syncthreads();
  }
  const T total = buffer[0];
  __syncthreads();
  return total;
}

// One block per row; the row is read as packs of 16 bytes.
template <typename T>
__global__ void layernorm(const T *__restrict__ x, const T *__restrict__ gamma,
                          const T *__restrict__ beta, T *__restrict__ y, int hidden, T epsilon) {
  using Vector = typename Pack<T>::Type;
  __shared__ T buffer[kThreads];

  const int packs = hidden / Pack<T>::kWidth;
  const Vector *row = reinterpret_cast<const Vector *>(x) + (size_t)blockIdx.x * packs;
  const Vector *g = reinterpret_cast<const Vector *>(gamma);
  const Vector *b = reinterpret_cast<const Vector *>(beta);
  Vector *out = reinterpret_cast<Vector *>(y) + (size_t)blockIdx.x * packs;

  // Mean of the row.
  T sum = 0;
  for (int p = threadIdx.x; p < packs; p += kThreads) sum += Pack<T>::sum(row[p]);
  const T mean = block_sum(sum, buffer) / hidden;

  // Second pass for the variance: two passes lose fewer digits than one.
  T squares = 0;
  for (int p = threadIdx.x; p < packs; p += kThreads) squares += Pack<T>::squares(row[p], mean);
  const T variance = block_sum(squares, buffer) / hidden;

  const T scale = rsqrt(variance + epsilon);
  for (int p = threadIdx.x; p < packs; p += kThreads)
    out[p] = Pack<T>::affine(row[p], mean, scale, g[p], b[p]);
}

// Runs one precision; returns the time and adds to `failures` when the result is off.
template <typename T>
float run(const char *name, int rows, int hidden, int repeat, double tolerance, int *failures) {
  const size_t count = (size_t)rows * hidden;
  std::vector<T> x(count), gamma(hidden), beta(hidden), y(count);
  unsigned seed = 7u;
  auto uniform = [&seed]() {
    seed = seed * 1103515245u + 12345u;
    return (T)((seed >> 8) & 0xffff) / (T)65536;
  };
  for (T &v : x) v = 4 * uniform() - 1;
  for (T &v : gamma) v = (T)0.5 + uniform();
  for (T &v : beta) v = uniform();

  T *d_x, *d_gamma, *d_beta, *d_y;
  check(cudaMalloc(&d_x, count * sizeof(T)), "x");
  check(cudaMalloc(&d_gamma, hidden * sizeof(T)), "gamma");
  check(cudaMalloc(&d_beta, hidden * sizeof(T)), "beta");
  check(cudaMalloc(&d_y, count * sizeof(T)), "y");
  check(cudaMemcpy(d_x, x.data(), count * sizeof(T), cudaMemcpyHostToDevice), "copy x");
  const size_t row_bytes = hidden * sizeof(T);
  check(cudaMemcpy(d_gamma, gamma.data(), row_bytes, cudaMemcpyHostToDevice), "copy gamma");
  check(cudaMemcpy(d_beta, beta.data(), row_bytes, cudaMemcpyHostToDevice), "copy beta");

  const T epsilon = (T)1e-5;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int r = 0; r < repeat; ++r)
    layernorm<T><<<rows, kThreads>>>(d_x, d_gamma, d_beta, d_y, hidden, epsilon);
  cudaEventRecord(stop);
  check(cudaEventSynchronize(stop), "layernorm");
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  check(cudaMemcpy(y.data(), d_y, count * sizeof(T), cudaMemcpyDeviceToHost), "copy y");

  double worst = 0, checksum = 0;
  for (int r = 0; r < rows; ++r) {
    const T *row = &x[(size_t)r * hidden];
    double mean = 0, variance = 0;
    for (int c = 0; c < hidden; ++c) mean += row[c];
    mean /= hidden;
    for (int c = 0; c < hidden; ++c) variance += (row[c] - mean) * (row[c] - mean);
    const double scale = 1 / std::sqrt(variance / hidden + epsilon);
    for (int c = 0; c < hidden; ++c) {
      const double expected = gamma[c] * (row[c] - mean) * scale + beta[c];
      const double got = y[(size_t)r * hidden + c];
      worst = std::fmax(worst, std::fabs(got - expected));
      checksum += std::fabs(got);
    }
  }
  std::printf("%s %.4e\n", name, checksum);
  if (!(worst < tolerance)) ++*failures;

  cudaFree(d_x);
  cudaFree(d_gamma);
  cudaFree(d_beta);
  cudaFree(d_y);
  return ms;
}

}  // namespace

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 20;
  const int hidden = argc > 2 ? std::atoi(argv[2]) : 192;
  const int repeat = argc > 3 ? std::atoi(argv[3]) : 1;
  if (rows < 1 || hidden < 4 || hidden % 4 != 0 || repeat < 1) {
    std::fprintf(stderr, "hidden has to be a positive multiple of 4\n");
    return 2;
  }

  int failures = 0;
  float ms = run<float>("float", rows, hidden, repeat, 1e-4, &failures);
  ms += run<double>("double", rows, hidden, repeat, 1e-11, &failures);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  std::printf("time_ms %.3f\n", ms);
  return failures == 0 ? 0 : 1;
}
