// Pointers that a thread declares for itself lead to memory of others, when all threads but the
// first do nothing else, too; and functors that get a pack of arguments from their kernel.
#include <cstdio>

struct Rows {
  float *row[2];
  int size;
};

template <typename A, typename B> struct Axpby {
  __device__ void operator()(int chunk, volatile int *flag, Rows &rows, float a, float b, int c) {
    A *x = (A *)rows.row[0];
    B *y = (B *)rows.row[1];
    for (int i = threadIdx.x; i < rows.size && i < chunk; i += blockDim.x)
      y[i] = a * x[i] + b * y[i] + c;
    if (threadIdx.x == 0)
      *flag += 1;
  }
};

template <typename F, typename... A>
__global__ void apply(long chunk, volatile int *flag, Rows rows, F f, A... a) {
  if (sizeof...(a) == 3)
    f(chunk, flag, rows, a...);
}

template <typename F, typename... A> void run(Rows rows, int *flag, F f, A... a) {
  apply<<<1, 32>>>(64, flag, rows, f, a...);
}

template <typename P> __global__ void shifted(P y, int *flag, Rows rows) {
  {
    P own = y + 1;
    for (int i = threadIdx.x; i < rows.size && i < 50; i += blockDim.x)
      own[i] += i;
    if (threadIdx.x == 0)
      *flag += 2;
  }
}

int main() {
  float *x, *y;
  int *flag;
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&y, 64 * sizeof(float));
  cudaMallocManaged(&flag, sizeof(int));
  for (int i = 0; i < 64; ++i)
    x[i] = i, y[i] = 2 * i;
  *flag = 0;
  run(Rows{{x, y}, 60}, flag, Axpby<float, float>(), 2.0f, 3.0f, 4);
  shifted<<<1, 32>>>(y, flag, Rows{{x, y}, 60});
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%g ", y[i]);
  printf("%d\n", *flag);
}
