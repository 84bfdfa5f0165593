// Extremes begin with numbers that need not be the least of all: masked rows are all -INFINITY.
#include <cstdio>
#include <cfloat>
#include <climits>
#define SECOND(F) if (t % 32 == 0) s[t / 32] = v; __syncthreads(); v = t % 32 < 4 ? s[t % 32] : F; for (int d = 16; d > 0; d /= 2) v = M(v, __shfl_xor_sync(~0u, v, d));
#define FIRST for (int d = 16; d > 0; d /= 2) v = M(v, __shfl_xor_sync(~0u, v, d));
#define M fmaxf
__global__ void a(const float *x, float *y) { __shared__ float s[4]; int t = threadIdx.x; float v = x[t]; FIRST SECOND(-FLT_MAX) y[t] = v; }
__global__ void b(const float *x, float *y, int n) { __shared__ float s[4]; int t = threadIdx.x; float v = -INFINITY; for (int i = t; i < n; i += 128) v = fmaxf(v, x[i]); FIRST SECOND(-FLT_MAX) y[t] = v; }
__global__ void c(const float *x, float *y, int n) { __shared__ float s[4]; int t = threadIdx.x; float v = -INFINITY; for (int i = t; i < n; i += 128) v = fmaxf(v, x[i]); FIRST SECOND(-INFINITY) y[t] = v; }
__global__ void dd(const float *x, float *y) { __shared__ float s[4]; int t = threadIdx.x; float v = x[t]; FIRST SECOND(-1e20f) y[t] = v; }
__global__ void e(const float *x, float *y) { __shared__ float s[4]; int t = threadIdx.x; float v = x[t]; FIRST SECOND(0.0f) y[t] = v; }
#undef M
#define M max
__global__ void f(const long long *x, long long *y) { __shared__ long long s[4]; int t = threadIdx.x; long long v = x[t]; FIRST SECOND(INT_MIN) y[t] = v; }
__global__ void g(const int *x, int *y) { __shared__ int s[4]; int t = threadIdx.x; int v = x[t]; FIRST SECOND(-7) y[t] = v; }
#undef M
#define M min
__global__ void h(const float *x, float *y) { __shared__ float s[4]; int t = threadIdx.x; float v = x[t]; FIRST SECOND(FLT_MAX) y[t] = v; }
// the least number of all has no spelling of its own
__global__ void least(const long long *x, long long *y, int n) { __shared__ long long s[128]; int t = threadIdx.x; long long v = LLONG_MIN; for (int i = t; i < n; i += blockDim.x) v = max(v, x[i] * 2); s[t] = v; __syncthreads(); long long r = LLONG_MIN; for (int k = 0; k < 128; ++k) r = s[k] > r ? s[k] : r; y[t] = r + v; }
int main()
{
    float *x, *y; long long *l, *m; int *p, *q;
    cudaMallocManaged(&x, 8000); cudaMallocManaged(&y, 8000); cudaMallocManaged(&l, 8000); cudaMallocManaged(&m, 8000); cudaMallocManaged(&p, 8000); cudaMallocManaged(&q, 8000);
    for (int i = 0; i < 1000; ++i) { m[i] = 0; q[i] = 0; y[i] = 0; }
    for (int mode = 0; mode < 3; ++mode) {
        for (int i = 0; i < 400; ++i) { x[i] = mode == 0 ? -INFINITY : mode == 1 ? -5.0f - i % 9 : i % 77 * 1.5f; l[i] = -(1ll << 40) - i; p[i] = -20 + mode * 12 - i % 3; }
        auto show = [&](const char *n) { cudaDeviceSynchronize(); printf("%s %g %lld %d\n", n, y[5], m[5], q[5]); };
        a<<<1, 128>>>(x, y); show("a"); b<<<1, 128>>>(x, y, 300); show("b"); c<<<1, 128>>>(x, y, 300); show("c"); dd<<<1, 128>>>(x, y); show("d"); e<<<1, 128>>>(x, y); show("e");
        f<<<1, 128>>>(l, m); show("f"); g<<<1, 128>>>(p, q); show("g"); least<<<1, 128>>>(l, m, 158); show("least");
        for (int i = 0; i < 400; ++i) x[i] = mode == 0 ? INFINITY : i % 77 * 1.5f;
        h<<<1, 128>>>(x, y); show("h");
    }
}
