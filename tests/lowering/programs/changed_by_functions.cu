// Objects that functions change by way of references, pointers, other names, and of what methods
// and functions give of them: each thread has its own, kept over a barrier
#include <cstdio>
#include <cuda_runtime.h>
struct S {
  int x, a[4];
  int *out;
  __host__ __device__ int &operator[](int i) { return a[i]; }
};
struct L {
  int &r;
  int *p;
};
__device__ void direct(S &s, int t) { s.x += t; }
__device__ void array(S &s, int t) { s.a[t & 3] = t; }
__device__ void op(S &s, int t) { s[t & 3] = t * 2; }
__device__ void pointer(S &s, int t) {
  S *p = &s;
  p->x = t * 3;
}
__device__ void alias(S &s, int t) {
  S &q = s;
  q.x = t * 5;
}
__device__ void whole(S &s, int t) {
  S q = s;
  q.x = t * 7;
  s = q;
}
__device__ void atom(S &s, int t) { atomicAdd(&s.x, t); }
__device__ void inner(int &v, int t) { v = t * 11; }
__device__ void member(S &s, int t) { inner(s.x, t); }
__device__ void lambda(S &s, int t) {
  auto f = [&](int v) { s.x = v; };
  f(t * 13);
}
__device__ void further(S &s, int t) {
  direct(s, t);
  op(s, t);
}
__device__ void swapped(S &s, int t) {
  int h = s.x;
  s.x = s.a[1] + t;
  s.a[1] = h;
}
__device__ void byptr(S &s, int t) {
  int *p = s.a;
  p[t & 3] = t;
}
__device__ void moved(S &s, int t) { s.out += t; }
__device__ void links(L &l, int t) {
  l.r = t;
  *l.p += 2;
}
__device__ void only(S &s, int t) { s.out[t] = t * 17; }
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
K(direct)
K(array) K(op) K(pointer) K(alias) K(whole) K(atom) K(member) K(lambda) K(further) K(swapped)
    K(byptr) __global__ void k_moved(S s, int *y) {
  int t = threadIdx.x;
  moved(s, t);
  __syncthreads();
  y[blockIdx.x * 64 + t] = *s.out;
}
__global__ void k_links(int *y) {
  int t = threadIdx.x;
  int h = 3 * t;
  __shared__ int q[64];
  q[t] = t;
  L l{h, &h};
  int before = h;
  links(l, t + 1);
  __syncthreads();
  y[blockIdx.x * 64 + t] = h + q[63 - t] + before;
}
__global__ void k_only(S s, int *y) {
  int t = threadIdx.x;
  only(s, t);
  __syncthreads();
  y[blockIdx.x * 64 + t] = s.out[63 - t];
}
int main() {
  int *y, *o;
  cudaMallocManaged(&y, 512);
  cudaMallocManaged(&o, 512);
  S s{1, {2, 3, 4, 5}, o};
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
  R(k_direct, s, y)
  R(k_array, s, y) R(k_op, s, y) R(k_pointer, s, y) R(k_alias, s, y) R(k_whole, s, y)
      R(k_atom, s, y) R(k_member, s, y) R(k_lambda, s, y) R(k_further, s, y) R(k_swapped, s, y)
          R(k_byptr, s, y) R(k_moved, s, y) R(k_links, y) R(k_only, s, y)
}
