// Objects that functions change by way of what methods and functions give of them
#include <cstdio>
#include <cuda_runtime.h>
struct S {
  int x, a[4];
  int *out;
  __host__ __device__ int &operator[](int i) { return a[i]; }
  __device__ int *data() { return a; }
  __device__ int &at(int i) { return a[i]; }
  __device__ void put(int t) { at(t & 3) = t * 2; }
  __device__ void put2(int t) { data()[t & 3] = t * 5; }
  __device__ S &self() { return *this; }
  __device__ void put3(int t) { (*this)[t & 3] = t * 9; }
  __device__ void put4(int t) { self().x = t; }
};
struct T {
  S s;
  __device__ S &get() { return s; }
};
__device__ int *first(S &s) { return &s.a[0]; }
__device__ int &ref(S &s) { return s.x; }
__device__ void m1(S &s, int t) { s.put(t); }
__device__ void m2(S &s, int t) { s.put2(t); }
__device__ void m3(S &s, int t) { s.put3(t); }
__device__ void m4(S &s, int t) { s.put4(t); }
__device__ void m5(S &s, int t) { s.data()[t & 3] = t; }
__device__ void m6(S &s, int t) { *first(s) = t; }
__device__ void m7(S &s, int t) { ref(s) = t; }
__device__ void m8(S &s, int t) {
  S *p = &s.self();
  p->x = t;
}
__device__ void m9(S &s, int t) {
  auto &q = s[1];
  q = t;
}
__device__ void ma(S &s, int t) {
  auto *q = s.data();
  q[2] = t;
}
__device__ void mb(S &s, int t) {
  struct H {
    S &in;
  } h{s};
  h.in.x = t;
}
#define K(name)                                                                                    \
  __global__ void k_##name(S s, int *y) {                                                          \
    int t = threadIdx.x;                                                                           \
    __shared__ int q[64];                                                                          \
    q[t] = t;                                                                                      \
    name(s, t);                                                                                    \
    __syncthreads();                                                                               \
    name(s, q[63 - t]);                                                                            \
    y[blockIdx.x * 64 + t] = s.x + 10 * s.a[0] + 100 * s.a[1] + 1000 * s.a[2] + s.a[3];            \
  }
K(m1)
K(m2) K(m3) K(m4) K(m5) K(m6) K(m7) K(m8) K(m9) K(ma) K(mb)
#define D(name)                                                                                    \
  __global__ void d_##name(S s, int *y) {                                                          \
    int t = threadIdx.x;                                                                           \
    __shared__ int q[64];                                                                          \
    q[t] = t;                                                                                      \
    s.name(t);                                                                                     \
    __syncthreads();                                                                               \
    s.name(q[63 - t]);                                                                             \
    y[blockIdx.x * 64 + t] = s.x + 10 * s.a[0] + 100 * s.a[1] + 1000 * s.a[2] + s.a[3];            \
  }
    D(put) D(put2) D(put3) D(put4) __global__ void nested(T u, int *y) {
  int t = threadIdx.x;
  __shared__ int q[64];
  q[t] = t;
  m1(u.get(), t);
  __syncthreads();
  m7(u.s, q[63 - t]);
  y[blockIdx.x * 64 + t] = u.s.x + 10 * u.s.a[0] + 100 * u.s.a[1];
}
int main() {
  int *y, *o;
  cudaMallocManaged(&y, 512);
  cudaMallocManaged(&o, 512);
  S s{1, {2, 3, 4, 5}, o};
  T u{s};
#define R(k, ...)                                                                                  \
  for (int i = 0; i < 128; ++i)                                                                    \
    y[i] = 0, o[i] = i * i;                                                                        \
  k<<<2, 64>>>(__VA_ARGS__);                                                                       \
  cudaDeviceSynchronize();                                                                         \
  {                                                                                                \
    long h = 0;                                                                                    \
    for (int i = 0; i < 128; ++i)                                                                  \
      h = h * 31 % 1000003 + y[i];                                                                 \
    printf("%s %ld\n", #k, h);                                                                     \
  }
  R(k_m1, s, y)
  R(k_m2, s, y) R(k_m3, s, y) R(k_m4, s, y) R(k_m5, s, y) R(k_m6, s, y) R(k_m7, s, y) R(k_m8, s, y)
      R(k_m9, s, y) R(k_ma, s, y) R(k_mb, s, y) R(d_put, s, y) R(d_put2, s, y) R(d_put3, s, y)
          R(d_put4, s, y) R(nested, u, y)
}
