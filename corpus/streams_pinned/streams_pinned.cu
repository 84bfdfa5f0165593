// Copies and kernels in several streams from pinned memory, two-dimensional copies with
// a pitch, and what the runtime says about calls that cannot work.
//
// usage: streams_pinned [elements per chunk] [image width] [image height]

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const int kStreams = 4;
const int kChunks = 8;
const int kThreads = 128;

template <typename Status>
void check(Status status, char const *const call, int const line) {
  if (status != cudaSuccess) {
    fprintf(stderr, "%s in line %d: %s\n", call, line, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
  }
}
#define CHECK(val) check((val), #val, __LINE__)

// A polynomial by Horner's rule.
__global__ void polynomial(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float t = x[i];
    y[i] = ((0.25f * t - 0.5f) * t + 1.0f) * t + 2.0f;
  }
}

// Row `y` of an image whose rows start every `pitch` bytes.
template <typename T>
__device__ T *row_of(T *image, size_t pitch, int y) {
  return (T *)((char *)image + y * pitch);
}

// Mirrors the image from left to right; one block per row.
__global__ void mirror(float *image, size_t pitch, int width, int height) {
  int y = blockIdx.x;
  if (y >= height) return;
  float *row = row_of(image, pitch, y);
  for (int x = threadIdx.x; x < width / 2; x += blockDim.x) {
    float left = row[x];
    row[x] = row[width - 1 - x];
    row[width - 1 - x] = left;
  }
}

unsigned lcg_state = 8191u;

float next_value() {
  lcg_state = lcg_state * 1103515245u + 12345u;
  return (float)((lcg_state >> 16) & 0x7fff) / 32768.0f;
}

// Chunks travel round-robin through the streams: copy in, compute, copy out.
bool run_streams(int chunk, float *ms) {
  const size_t bytes = chunk * sizeof(float);
  float *in, *out;
  CHECK(cudaMallocHost((void **)&in, kChunks * bytes));
  CHECK(cudaMallocHost((void **)&out, kChunks * bytes));
  for (int i = 0; i < kChunks * chunk; ++i) in[i] = next_value();
  memset(out, 0, kChunks * bytes);

  cudaStream_t stream[kStreams];
  float *d_in[kStreams], *d_out[kStreams];
  for (int s = 0; s < kStreams; ++s) {
    // Every other stream does not wait for the default stream.
    if (s % 2 == 0)
      CHECK(cudaStreamCreate(&stream[s]));
    else
      CHECK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
    CHECK(cudaMalloc((void **)&d_in[s], bytes));
    CHECK(cudaMalloc((void **)&d_out[s], bytes));
  }

  cudaEvent_t start, stop, done[kStreams];
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int s = 0; s < kStreams; ++s)
    CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));

  CHECK(cudaEventRecord(start, stream[0]));
  const int blocks = (chunk + kThreads - 1) / kThreads;
  for (int c = 0; c < kChunks; ++c) {
    const int s = c % kStreams;
    const float *from = in + (size_t)c * chunk;
    float *to = out + (size_t)c * chunk;
    CHECK(cudaMemcpyAsync(d_in[s], from, bytes, cudaMemcpyHostToDevice, stream[s]));
    polynomial<<<blocks, kThreads, 0, stream[s]>>>(d_in[s], d_out[s], chunk);
    CHECK(cudaMemcpyAsync(to, d_out[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  // The first stream waits for the others, the host for the first.
  for (int s = 1; s < kStreams; ++s) {
    CHECK(cudaEventRecord(done[s], stream[s]));
    CHECK(cudaStreamWaitEvent(stream[0], done[s], 0));
  }
  CHECK(cudaEventRecord(stop, stream[0]));
  CHECK(cudaStreamSynchronize(stream[0]));
  CHECK(cudaStreamQuery(stream[0]));
  CHECK(cudaEventQuery(stop));
  CHECK(cudaEventElapsedTime(ms, start, stop));

  double sum = 0.0, worst = 0.0;
  for (int i = 0; i < kChunks * chunk; ++i) {
    const double t = in[i];
    worst = fmax(worst, fabs(out[i] - (((0.25 * t - 0.5) * t + 1.0) * t + 2.0)));
    sum += out[i];
  }
  printf("polynomial %.4e\n", sum / ((double)kChunks * chunk));

  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaEventDestroy(done[s]));
    CHECK(cudaFree(d_in[s]));
    CHECK(cudaFree(d_out[s]));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  return worst < 1e-5;
}

// An image goes to pitched memory, is mirrored there and comes back.
bool run_pitched(int width, int height) {
  const size_t row_bytes = width * sizeof(float);
  float *image = (float *)malloc(row_bytes * height);
  float *result = (float *)malloc(row_bytes * height);
  for (int i = 0; i < width * height; ++i) image[i] = next_value();

  float *d_image;
  size_t pitch = 0;
  CHECK(cudaMallocPitch((void **)&d_image, &pitch, row_bytes, height));
  CHECK(cudaMemset2D(d_image, pitch, 0, row_bytes, height));
  CHECK(cudaMemcpy2D(d_image, pitch, image, row_bytes, row_bytes, height, cudaMemcpyHostToDevice));
  mirror<<<height, 64>>>(d_image, pitch, width, height);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy2DAsync(result, row_bytes, d_image, pitch, row_bytes, height,
                          cudaMemcpyDeviceToHost, 0));
  CHECK(cudaDeviceSynchronize());

  int wrong = pitch < row_bytes;
  double weighted = 0.0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      wrong += result[y * width + x] != image[y * width + width - 1 - x];
      weighted += (double)x * result[y * width + x];
    }
  }
  printf("mirrored %.6e\n", weighted);
  CHECK(cudaFree(d_image));
  free(image);
  free(result);
  return wrong == 0;
}

// Calls that have to fail, and leave no trace once their error has been fetched.
bool run_errors() {
  float *nowhere = nullptr;
  float pair[2] = {1.0f, 2.0f}, copy[2] = {0.0f, 0.0f};

  cudaError_t too_much = cudaMalloc((void **)&nowhere, (size_t)1 << 60);
  cudaError_t remembered = cudaPeekAtLastError();
  cudaError_t fetched = cudaGetLastError();
  cudaError_t forgotten = cudaGetLastError();
  printf("huge allocation: %s\n", cudaGetErrorString(too_much));
  printf("last error: %s, %s, then %s\n", cudaGetErrorName(remembered), cudaGetErrorName(fetched),
         cudaGetErrorName(forgotten));

  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  cudaError_t no_device = cudaSetDevice(devices + 100);
  printf("unknown device: %s\n", cudaGetErrorString(no_device));
  CHECK(cudaSetDevice(0));
  cudaGetLastError();

  // A row of two floats does not fit into a pitch of one.
  cudaError_t narrow = cudaMemcpy2D(copy, sizeof(float), pair, sizeof(pair), sizeof(pair), 1,
                                    cudaMemcpyHostToHost);
  printf("narrow pitch: %s\n", narrow == cudaSuccess ? "taken" : "refused");
  cudaGetLastError();

  // Freeing nothing is allowed.
  CHECK(cudaFree(nullptr));
  return too_much == cudaErrorMemoryAllocation && remembered == too_much && fetched == too_much &&
         forgotten == cudaSuccess && no_device == cudaErrorInvalidDevice &&
         narrow != cudaSuccess && copy[0] == 0.0f;
}

}  // namespace

int main(int argc, char **argv) {
  const int chunk = argc > 1 ? atoi(argv[1]) : 1000;
  const int width = argc > 2 ? atoi(argv[2]) : 75;
  const int height = argc > 3 ? atoi(argv[3]) : 20;
  if (chunk < 1 || width < 1 || height < 1) {
    fprintf(stderr, "usage: %s [elements per chunk] [image width] [image height]\n", argv[0]);
    return 2;
  }

  float ms = 0.0f;
  bool pass = run_streams(chunk, &ms);
  pass = run_pitched(width, height) && pass;
  pass = run_errors() && pass;
  printf("%s\n", pass ? "PASS" : "FAIL");
  printf("time_ms %.3f\n", ms);
  return pass ? 0 : 1;
}
