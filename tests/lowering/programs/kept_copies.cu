// What threads keep across barriers: copies of a parameter whose class the template does not know,
// and which has no constructor without arguments; references to arrays, as pointers.
#include <cstdio>

template <class R> struct Call {
  R strike, shift;
  __host__ __device__ Call(R s) : strike(s), shift(0) {}
  __host__ __device__ R operator()(R x) const { return x > strike ? x - strike + shift : 0; }
  __host__ __device__ void move(R by) { shift += by; }
};

template <class Payoff> __global__ void price(Payoff payoff, const float *x, float *y) {
  __shared__ float s[32];
  int t = threadIdx.x;
  payoff.move(t);
  s[t] = payoff(x[t]);
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t] + payoff(x[t]);
}

template <class Payoff> __global__ void price_by_warps(Payoff payoff, const float *x, float *y) {
  payoff.move(threadIdx.x);
  float mine = payoff(x[threadIdx.x]);
  float other = __shfl_xor_sync(0xffffffff, mine, 1);
  y[threadIdx.x] = other + payoff(x[threadIdx.x]);
}

template <class V> __global__ void rows(const V (*of)[4], int *next, V *y) {
  __shared__ V s[32];
  int t = threadIdx.x, at = atomicAdd(next, 1);
  const V (&q)[4] = of[at++];
  s[t] = q[0] + q[1];
  __syncthreads();
  y[at - 1] = s[t] + q[2] + q[3];
}

__global__ void written_rows(float (*of)[4], int *next, float *y) {
  __shared__ float s[32];
  int t = threadIdx.x, at = atomicAdd(next, 1);
  float (&q)[4] = of[at++];
  s[t] = q[0] + q[1];
  __syncthreads();
  q[3] += s[t];
  y[at - 1] = s[t] + q[2] + q[3];
}

__global__ void deduced_rows(float (*of)[4], int *next, float *y) {
  int at = atomicAdd(next, 1);
  auto &q = of[at++];
  float other = __shfl_xor_sync(0xffffffff, q[1], 1);
  q[2] += other > 0;
  y[at - 1] = q[2];
}

int main(int argc, char **) {
  const int n = 31 + argc;
  float *x, *y;
  int *next;
  cudaMallocManaged(&x, 4 * n * sizeof(float));
  cudaMallocManaged(&y, 2 * n * sizeof(float));
  cudaMallocManaged(&next, 4 * sizeof(int));
  cudaMemset(next, 0, 4 * sizeof(int));
  for (int i = 0; i < 4 * n; ++i)
    x[i] = i % 23;
  price<<<2, n>>>(Call<float>(3), x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * n; ++i)
    printf("%g ", y[i]);
  price<<<1, 32>>>(Call<float>(5), x, y);
  price_by_warps<<<1, 32>>>(Call<float>(4), x, y + n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * n; ++i)
    printf("%g ", y[i]);
  rows<float><<<1, n>>>((float(*)[4])x, next, y);
  written_rows<<<1, 32>>>((float(*)[4])x, next + 1, y + n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * n; ++i)
    printf("%g ", y[i]);
  deduced_rows<<<1, 32>>>((float(*)[4])x, next + 2, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    printf("%g ", y[i]);
  printf("\n");
}
