#include <cstdio>
#include <cfloat>
// What goes wrong easily where groups combine values: variables and arrays that are used again.
// lane and warp are declared in the fragment and used behind it; the array is read after another thing stored there
__device__ int all(int v, int *s)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (lane == 0) s[warp] = v;
    __syncthreads();
    int r = 0;
    for (int w = 0; w < 4; ++w) r += s[w];
    return r;
}
__global__ void a(const int *x, int *y, int n)
{
    __shared__ int s[32];
    int v = 0;
    for (int i = threadIdx.x; i < n; i += 128) v += x[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    if (lane == 0) s[warp] = v;
    __syncthreads();
    int r = s[0] + s[1] + s[2] + s[3];
    __syncthreads();
    y[threadIdx.x] = r + lane * 3 + warp;
    if (warp == 0)
        s[lane] = x[lane];
    __syncthreads();
    y[threadIdx.x] += s[0];
}
__global__ void b(const int *x, int *y, int n)
{
    __shared__ int s[32];
    int q = x[threadIdx.x];
    int r = all(q, s);
    __syncthreads();
    int p = all(q * 2 + 1, s);
    y[threadIdx.x] = r * 3 + p;
}
// the same variable twice, the counter of the loop asked for later
__global__ void c(const int *x, int *y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, k;
    int v = 0;
    for (int i = t; i < n; i += 64) v += x[i];
    s[t] = v;
    __syncthreads();
    for (k = 32; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    k = n % 3;
    v = s[0];
    __syncthreads();
    if (t == k) y[0] = v;
    if (t == 0) y[1] = v;
    v = 7;
    for (int i = t; i < n; i += 64) v = max(v, x[i]);
    s[t] = v;
    __syncthreads();
    for (k = 32; k > 0; k >>= 1) { if (t < k) s[t] = max(s[t], s[t + k]); __syncthreads(); }
    if (t < 2) y[2 + t] = s[t];
    if (t == 0) y[5] = s[0];
}
// result at the first thread; a counter that changed decides who looks
__global__ void d(const int *x, int *y)
{
    int t = threadIdx.x, who = 0;
    int v = x[t];
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
    who = x[3] & 31;
    if (t == who) y[0] = v;
}
__global__ void e(const int *x, int *y)
{
    int t = threadIdx.x;
    int v = x[t];
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
    if (t == 0) { v += 5; y[0] = v; }
    if (t == 0) y[1] = v;
}
// in a condition, the value is used behind it
__global__ void f(const int *x, int *y, int n)
{
    int t = threadIdx.x, v = x[t];
    if (n > 5) {
        for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
    }
    y[t] = v;
}
// warps with rows of their own, in a loop, one result each; leaving in part
__global__ void g(const int *x, int *y, int rows, int n)
{
    int lane = threadIdx.x & 31;
    for (int r = blockIdx.x * 4 + threadIdx.x / 32; r < rows; r += gridDim.x * 4) {
        int v = 0;
        for (int i = lane; i < n; i += 32) v += x[r * n + i];
        for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
        if (lane == 0) y[r] = v;
    }
}
// wrong tree that counts one twice and leaves one out
__global__ void h(const int *x, int *y)
{
    __shared__ int s[8];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    int v = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[6];
    y[t] = v;
}
// An array has an extreme first, which is exact, and then a sum of real numbers, which stays.
__global__ void softmax(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float m = -FLT_MAX;
    for (int i = t; i < n; i += 64)
        m = fmaxf(m, x[i]);
    s[t] = m;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    float most = s[0];
    __syncthreads();
    float q = 0;
    for (int i = t; i < n; i += 64)
        q += expf(x[i] - most);
    s[t] = q;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    for (int i = t; i < n; i += 64)
        y[i] = expf(x[i] - most) / s[0];
}
// result read in place from the element, then the array is used for a real sum
__global__ void both(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    y[t] = s[0];
    __syncthreads();
    float q = x[t + 1];
    s[t] = q;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    y[t] += s[0];
}
template <class F> void run(const char *n, F f)
{
    static int *x = 0, *y = 0;
    if (!x) { cudaMallocManaged(&x, 4096 * 4); cudaMallocManaged(&y, 4096 * 4); for (int i = 0; i < 4096; ++i) x[i] = i * 37 % 101 - 20; }
    for (int i = 0; i < 4096; ++i) y[i] = 0;
    f(x, y); cudaDeviceSynchronize();
    long s = 0; for (int i = 0; i < 4096; ++i) s += (i % 17 + 1) * (long)y[i];
    printf("%s %ld\n", n, s);
}
int main()
{
    run("a", [](int *x, int *y) { a<<<1, 128>>>(x, y, 1000); });
    run("b", [](int *x, int *y) { b<<<1, 128>>>(x, y, 1000); });
    run("c", [](int *x, int *y) { c<<<1, 64>>>(x, y, 1000); });
    run("d", [](int *x, int *y) { d<<<1, 32>>>(x, y); });
    run("e", [](int *x, int *y) { e<<<1, 32>>>(x, y); });
    run("f", [](int *x, int *y) { f<<<1, 64>>>(x, y, 9); });
    run("g", [](int *x, int *y) { g<<<2, 128>>>(x, y, 13, 70); });
    float *p, *q;
    cudaMallocManaged(&p, 4000);
    cudaMallocManaged(&q, 4000);
    for (int i = 0; i < 1000; ++i) {
        p[i] = (i * 37 % 101) * 0.05f;
        q[i] = 0;
    }
    softmax<<<1, 64>>>(p, q, 1000);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 1000; ++i)
        sum += (i % 7 + 1) * q[i];
    printf("%.4f\n", sum);
    both<<<1, 64>>>(p, q, 1000);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1000; ++i)
        sum += (i % 7 + 1) * q[i];
    printf("%.2f\n", sum);
    run("h", [](int *x, int *y) { h<<<1, 8>>>(x, y); });
}
