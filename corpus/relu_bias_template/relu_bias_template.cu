// Bias and activation in one pass, with the activation as a functor.
//
// The kernel is written once; what it applies comes as a template parameter with
// operator(), so that parameters of the activation travel by value into the kernel.
//
// usage: relu_bias_template [rows] [channels]

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                        \
  if (cudaError_t error = (call)) {                                        \
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));               \
    std::exit(1);                                                          \
  }

namespace activation {

struct Relu {
  __host__ __device__ float operator()(float x) const { return x > 0.0f ? x : 0.0f; }
};

// Keeps a small slope on the negative side.
struct LeakyRelu {
  float slope;
  __host__ __device__ explicit LeakyRelu(float s) : slope(s) {}
  __host__ __device__ float operator()(float x) const { return x > 0.0f ? x : slope * x; }
};

struct Clipped {
  float low, high;
  __host__ __device__ float operator()(float x) const { return fminf(fmaxf(x, low), high); }
};

// The usual approximation with tanh.
struct Gelu {
  __host__ __device__ float operator()(float x) const {
    const float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1.0f + tanhf(inner));
  }
};

}  // namespace activation

// out[r][c] = f(in[r][c] + bias[c]), by a grid-stride loop over the elements.
template <typename T, typename Activation>
__global__ void bias_activation(T *__restrict__ out, const T *__restrict__ in,
                                const T *__restrict__ bias, size_t count, unsigned channels,
                                Activation f) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const unsigned c = i % channels;  // channel of this element
    out[i] = f(in[i] + bias[c]);
  }
}

// Device buffer that frees itself.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  explicit DeviceArray(const std::vector<T> &host) : DeviceArray(host.size()) {
    CHECK(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  T *get() { return data_; }
  void copy_to(std::vector<T> &host) const {
    CHECK(cudaMemcpy(host.data(), data_, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  T *data_ = nullptr;
};

struct Layer {
  std::vector<float> in, bias;
  unsigned channels;
};

// Runs one activation on the device, checks it on the host, returns the time in ms.
template <typename Activation>
float apply(const char *name, const Layer &layer, Activation f, bool *ok) {
  DeviceArray<float> in(layer.in), bias(layer.bias), out(layer.in.size());
  const unsigned threads = 256;
  const unsigned needed = static_cast<unsigned>((layer.in.size() + threads - 1) / threads);
  const unsigned blocks = needed < 1024u ? needed : 1024u;

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  bias_activation<<<blocks, threads>>>(out.get(), in.get(), bias.get(), layer.in.size(),
                                       layer.channels, f);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));

  std::vector<float> result(layer.in.size());
  out.copy_to(result);
  double checksum = 0.0;
  for (size_t i = 0; i < result.size(); ++i) {
    const float expected = f(layer.in[i] + layer.bias[i % layer.channels]);
    if (!(std::fabs(result[i] - expected) < 1e-5f)) *ok = false;
    checksum += std::fabs(result[i]);
  }
  std::printf("%-7s %.4e\n", name, checksum);
  return ms;
}

int main(int argc, char **argv) {
  const size_t rows = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 60;
  const unsigned channels = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 50u;
  if (rows == 0 || channels == 0) {
    std::fprintf(stderr, "usage: relu_bias_template [rows] [channels]\n");
    return 2;
  }

  std::uint32_t seed = 99u;
  auto uniform = [&seed]() {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  };
  Layer layer{std::vector<float>(rows * channels), std::vector<float>(channels), channels};
  for (float &x : layer.in) x = 3.0f * uniform();
  for (float &b : layer.bias) b = uniform();

  bool ok = true;
  float ms = 0.0f;
  ms += apply("relu", layer, activation::Relu(), &ok);
  ms += apply("leaky", layer, activation::LeakyRelu(0.01f), &ok);
  ms += apply("clipped", layer, activation::Clipped{-0.5f, 2.0f}, &ok);
  ms += apply("gelu", layer, activation::Gelu{}, &ok);
  std::printf("%s\n", ok ? "PASS" : "FAIL");
  std::printf("time_ms %.3f\n", ms);
  return ok ? 0 : 1;
}
