// Values whose types only the arguments of the template tell: shuffled, and bound to references
// that threads keep over a barrier, which may be to places or to values.
#include <cstdio>

template <typename T> __device__ T twice(const T &x) { return x + x; }
template <typename T> __device__ T &at(T *x, int i) { return x[i]; }

template <typename T> __global__ void shuffled(T *y, const T *x) {
  int t = threadIdx.x;
  auto sum = twice(x[t]);
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  auto first = __shfl_sync(0xffffffffu, twice(sum), 0);
  auto other = __shfl_xor_sync(0xffffffffu, x[t] * 2, 1);
  y[t] = first + sum + other;
}

template <typename P> __global__ void bound(P y, const P x) {
  __shared__ double s[64];
  int t = threadIdx.x;
  const auto &value = twice(x[t]);
  auto &&product = x[t] * 2;
  auto &place = at(y, t);
  const auto &old = y[t];
  s[t] = value;
  place = 3;
  __syncthreads();
  y[t] += s[63 - t] + value + product * 3 + place * 4 + old * 6;
}

template <typename T> __global__ void converted(T *y, const T *x, int n) {
  __shared__ T s[64];
  int t = threadIdx.x;
  const T &value = twice(x[t]);
  const T &place = at(y, t);
  const T &number = n;
  s[t] = value;
  y[t] += 1;
  __syncthreads();
  y[t] = s[63 - t] + value + place * 3 + number / 2;
}

int main() {
  float *x, *y;
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&y, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) {
    x[i] = (i * 7) % 13;
    y[i] = i;
  }
  for (int kernel = 0; kernel < 3; ++kernel) {
    if (kernel == 0)
      shuffled<<<1, 64>>>(y, x);
    else if (kernel == 1)
      bound<<<1, 64>>>(y, x);
    else
      converted<<<1, 64>>>(y, x, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
      printf("%g%c", y[i], i == 63 ? '\n' : ' ');
  }
}
