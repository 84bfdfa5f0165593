// What all threads have alike is each thread's own where it is written by any name, also by one of several
#include <cstdio>
#include <cuda_runtime.h>
#define TREE p[t] = v; __syncthreads(); for (int h = 1; h < 96; h *= 2) { if (t % (2 * h) == 0 && t + h < 96) p[t] = max(p[t], p[t + h]); __syncthreads(); }
struct Cell { int *to; };
__device__ void bump(int &r, int t) { r += t; }
__device__ void bump2(Cell c, int t) { *c.to += t; }
__global__ void ref(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; int &q = r; q += t; out[t] += r; }
__global__ void lam(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; auto add = [&](int k) { r += k; }; add(t); out[t] += r; }
__global__ void ptr(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; int *q = &r; *q += t; out[t] += r; }
__global__ void fun(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; atomicMax(&out[99], r); bump(r, t); out[t] += r; }
__global__ void obj(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; atomicMax(&out[99], r); bump2(Cell{&r}, t); out[t] += r; }
__global__ void inc(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; atomicMax(&out[99], r); int o = __shfl_xor_sync(~0u, r, 1); r++; (r) -= o * t; out[t] += r; }
__global__ void cond(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0], z = 0; atomicMax(&out[99], r); (t & 1 ? r : z) += t; out[t] += r + z; }
__global__ void comma(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0], z = 0; atomicMax(&out[99], r); (z = 1, r) += t; out[t] += r + z; }
struct Two { int a, b; };
__global__ void own(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r = p[0]; auto add = [&q = r](int k) { q += k; }; add(t); __syncthreads(); p[t] = r; __syncthreads(); out[t] += r + p[95 - t]; }
__global__ void part(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE int r[2] = {p[0], p[1]}; auto add = [n = r[0], &q = r[1]](int k) { q += k + n; }; add(t); __syncthreads(); p[t] = r[1]; __syncthreads(); out[t] += r[0] + p[95 - t]; }
__global__ void member(const int *x, int *out) { __shared__ int p[96]; const int t = threadIdx.x; int v = x[t]; TREE Two r = {p[0], p[1]}; int Two::*m = &Two::b; r.*m += t; __syncthreads(); p[t] = r.b; __syncthreads(); out[t] += r.a + p[95 - t]; }
int main()
{
    int *x, *o; cudaMallocManaged(&x, 4000); cudaMallocManaged(&o, 4000);
    for (int i = 0; i < 1000; ++i) x[i] = i % 50, o[i] = i;
#define RUN(k) k<<<1, 96>>>(x, o); cudaDeviceSynchronize(); for (int i = 0; i < 100; ++i) printf("%d ", o[i]); printf("\n");
    RUN(ref) RUN(lam) RUN(ptr) RUN(fun) RUN(obj) RUN(inc) RUN(cond) RUN(comma) RUN(own) RUN(part) RUN(member)
}
