// Methods of objects that only an expression makes, or chooses.
#include <cstdio>
struct V { int a, b; __device__ V &inc(int k) { a += k * ((int)threadIdx.x + 1); b -= 1; return *this; } __device__ int take(int &c) { c += 1 + (int)threadIdx.x * 0; a += c; return a; } };
__device__ V make(int k) { return V{k + (int)threadIdx.x, k * 2}; }
__global__ void k(int *o) {
  int t = threadIdx.x, c = t;
  V u{t, 1}, w{2, t};
  int r = make(2).inc(1).a + make(3).inc(2).inc(1).b;
  (t & 1 ? u : w).inc(3);
  (c & 1 ? u : w).take(c);
  r = r * 7 + (V{t, 2}).inc(1).a + V(u).inc(2).a;
  o[t] = r * 3 + u.a * 5 + w.a * 7 + u.b + w.b + c;
}
int main() { int *o; cudaMallocManaged(&o, 64); k<<<1, 16>>>(o); cudaDeviceSynchronize(); for (int i = 0; i < 16; i++) printf("%d\n", o[i]); }
