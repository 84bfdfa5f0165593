// Scales a vector to unit length.
//
// usage: normalize [n] [repeat]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Euclidean norm of x[0..n).
static double magnitude(const double *x, int n) {
  double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return std::sqrt(sum);
}

// out = in / |in|, with the norm computed once.
static void normalize(double *__restrict__ out, const double *__restrict__ in, int n) {
  const double norm = magnitude(in, n);
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; ++i)
    out[i] = in[i] / norm;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int repeat = argc > 2 ? std::atoi(argv[2]) : 1;
  if (n < 1 || repeat < 1) {
    std::fprintf(stderr, "usage: %s [n] [repeat]\n", argv[0]);
    return 2;
  }

  // Input from a linear congruential generator, uniform in [-1, 1).
  std::vector<double> in(n), out(n);
  unsigned long long seed = 42;
  for (double &x : in) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    x = static_cast<double>(seed >> 11) / 4503599627370496.0 - 1.0;
  }

  const auto begin = std::chrono::steady_clock::now();
  for (int r = 0; r < repeat; ++r)
    normalize(out.data(), in.data(), n);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;

  // The reference adds in long double, so its own rounding does not count.
  long double sum = 0.0L;
  for (double x : in)
    sum += static_cast<long double>(x) * x;
  const double norm = static_cast<double>(std::sqrt(sum));
  double worst = 0.0, checksum = 0.0, length = 0.0;
  for (int i = 0; i < n; ++i) {
    const double expected = in[i] / norm;
    worst = std::fmax(worst, std::fabs(out[i] - expected) * norm);
    checksum += std::fabs(out[i]);
    length += out[i] * out[i];
  }

  const bool pass = worst < 1e-9 && std::fabs(length - 1.0) < 1e-9;
  std::printf("n %d\n", n);
  std::printf("length %.6e\n", std::sqrt(length));
  std::printf("checksum %.6e\n", checksum);
  std::printf("%s\n", pass ? "PASS" : "FAIL");
  std::printf("time_ms %.3f\n", time.count());
  return pass ? 0 : 1;
}
