// Calls that need the launch, in all places where an expression may have them.
#include <cstdio>
#define T() ((int)threadIdx.x)
struct V { int a, b; __device__ V &inc(int k) { a += k * (T() + 1); return *this; } __device__ V dbl() const { V r = *this; r.a *= 2; r.b += T(); return r; } __device__ int &ref(int w) { return w ? a : b; } };
__device__ int byval(int x) { x += T(); x *= 2; return x; }
__device__ void swp(int &x, int &y) { int t = x + T() * 0; x = y; y = t; }
__device__ int addto(int &x, int y) { x += y + T(); return x * 10 + y; }
__device__ int early(int n) { for (int i = 0; i < 10; ++i) { if (i * i > n + T()) return i; if (i == 7) break; } return -T(); }
__device__ bool test(int &c, bool r) { c += T() + 1; return r; }
__device__ int fact(int n) { int r = 1; while (n > 1) r *= n--; return r + T(); }
__device__ int sw(int k) { switch (k + (T() & 1)) { case 0: return 5; case 1: k += 3; [[fallthrough]]; case 2: k *= 2; break; default: k = -1; } return k; }
__device__ int pick(const int *p, int n) { int s = 0; for (const int *q = p; q < p + n; q += 1 + (T() & 1)) s += *q; return s; }
template <int N> __device__ int arr(const int (&p)[N]) { int s = 0; for (int v : p) s = s * 3 + v + T(); return s; }
__device__ V make(int k) { return V{k + T(), k * 2}; }
__device__ int over(int x) { return x + T(); }
__device__ int over(double x) { return int(x * 2) + T(); }
__device__ int defs(int a, int b = 4, int c = 7) { return a * 100 + b * 10 + c + T(); }
__global__ void k(int *o, const int *in) {
  int t = threadIdx.x, x = t + 1, y = 2 * t, c = 0;
  V v{t, 3};
  int r = 0;
  r = r * 7 + byval(x) + x;
  swp(x, y); swp(x, x);
  r = r * 7 + addto(x, x) + x;
  r = r * 7 + early(t);
  r = r * 7 + (test(c, false) && test(c, true)) + (test(c, true) || test(c, true)) + c;
  r = r * 7 + (t & 1 ? fact(3) : byval(t)) ;
  r = r * 7 + sw(t % 4) + sw(1);
  r = r * 7 + pick(in + t % 3, 5);
  int loc[4] = {t, 1, x, y};
  r = r * 7 + arr(loc) + arr({1, 2, 3});
  v.inc(2).inc(3);
  v.ref(0) += v.dbl().dbl().a;
  v.ref(1)++;
  r = r * 7 + v.a * 3 + v.b + make(t).dbl().b + make(2).inc(1).a;
  for (int i = byval(0); i < 20; i += early(i) + 1) r += i;
  while (test(c, c < 60)) r ^= c;
  do { r += 1; } while (!test(c, c > 90));
  r = r * 7 + over(3) + over(2.6f) + defs(1) + defs(1, 2) + defs(byval(1), x--, ++y) + x + y;
  V arrv[3] = {make(1), v, {t, t}};
  arrv[t % 3].inc(arrv[(t + 1) % 3].dbl().a);
  for (auto &e : arrv) r = r * 5 + e.a - e.b;
  auto lam = [&](int q) { c += q + T(); return byval(q) + c; };
  r = r * 7 + lam(2) + lam(c % 5);
  o[t] = r;
}
int main() { int *o, *in; cudaMallocManaged(&o, 64); cudaMallocManaged(&in, 64); for (int i = 0; i < 16; i++) in[i] = i * i % 7; k<<<1, 16>>>(o, in); cudaDeviceSynchronize(); for (int i = 0; i < 16; i++) printf("%d\n", o[i]); }
