// Sums that only look as if they were relative to a running maximum, or are asked for on the way.
#include <cstdio>
#include <cuda_runtime.h>
// the wrong factor: not from what the sum was relative to
__global__ void stale(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -1e30f, s = 0.0f, first = x[r * n];
    for (int c = 0; c < n; ++c) {
        float nm = fmaxf(m, x[r * n + c]);
        s = s * expf(first - nm) + expf(x[r * n + c] - nm);
        m = nm;
    }
    y[r] = s + m;
}
// the term is relative to the maximum before
__global__ void before(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = x[r * n], s = 0.0f;
    for (int c = 0; c < n; ++c) {
        float old = m;
        m = fmaxf(m, x[r * n + c]);
        s = s * expf(old - m) + expf(x[r * n + c] - old);
    }
    y[r] = s + m;
}
// the sum is squared, too
__global__ void squares(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = x[r * n], s = 0.0f;
    for (int c = 0; c < n; ++c) {
        float old = m;
        m = fmaxf(m, x[r * n + c]);
        float f = expf(old - m);
        s = s * f * f + expf(x[r * n + c] - m);
    }
    y[r] = s + m;
}
// what the sum was on the way is kept
__global__ void kept(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = x[r * n], s = 0.0f, last = 0.0f;
    for (int c = 0; c < n; ++c) {
        float old = m;
        m = fmaxf(m, x[r * n + c]);
        s = s * expf(old - m) + expf(x[r * n + c] - m);
        if (c == n / 2) last = s;
    }
    y[r] = s + last + m;
}
// a maximum that forgets
__global__ void forgets(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = x[r * n], s = 0.0f;
    for (int c = 0; c < n; ++c) {
        float old = m;
        m = c % 5 == 4 ? x[r * n + c] : fmaxf(m, x[r * n + c]);
        s = s * expf(old - m) + expf(x[r * n + c] - m);
    }
    y[r] = s + m;
}
// factors are used behind
__global__ void factors(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = x[r * n], s = 0.0f, f = 1.0f;
    for (int c = 0; c < n; ++c) {
        float nm = fmaxf(m, x[r * n + c]);
        f = expf(m - nm);
        s = s * f + expf(x[r * n + c] - nm);
        m = nm;
    }
    y[r] = s + f + m;
}
// in place
__global__ void stores(float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -1e30f, s = 0.0f;
    for (int c = 0; c < n; ++c) {
        float nm = fmaxf(m, x[r * n + c]);
        s = s * expf(m - nm) + expf(x[r * n + c] - nm);
        m = nm;
        x[r * n + c] = s;
    }
    y[r] = s + m;
}
// other lanes' maxima and sums of different distances
__global__ void crossed(const float *x, float *y, int n)
{
    float m = x[blockIdx.x * 32 + threadIdx.x], s = 1.0f;
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o);
        float os = __shfl_xor_sync(0xffffffffu, s, o ^ 1);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    y[blockIdx.x * 32 + threadIdx.x] = m + s;
}
// only part of a warp: each lane has another maximum
__global__ void part(const float *x, float *y, int n)
{
    float m = x[blockIdx.x * 32 + threadIdx.x], s = 1.0f;
    for (int o = 4; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o);
        float os = __shfl_xor_sync(0xffffffffu, s, o);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    y[blockIdx.x * 32 + threadIdx.x] = m + s;
}
// what each warp had is looked at again
__global__ void again(const float *x, float *y, int n)
{
    __shared__ float pm[4], ps[4];
    float m = x[blockIdx.x * 128 + threadIdx.x], s = 1.0f;
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o);
        float os = __shfl_xor_sync(0xffffffffu, s, o);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    if (threadIdx.x % 32 == 0) { pm[threadIdx.x / 32] = m; ps[threadIdx.x / 32] = s; }
    __syncthreads();
    float tm = -1e30f, ts = 0.0f;
    for (int w = 0; w < 4; ++w) {
        float nm = fmaxf(tm, pm[w]);
        ts = ts * expf(tm - nm) + ps[w] * expf(pm[w] - nm);
        tm = nm;
    }
    y[blockIdx.x * 128 + threadIdx.x] = ts + tm + ps[threadIdx.x % 4] * 0.5f;
}
__global__ void again_s(const float *x, float *y, int n)
{
    __shared__ float pm[4], ps[4];
    float m = x[blockIdx.x * 128 + threadIdx.x], s = 1.0f;
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o);
        float os = __shfl_xor_sync(0xffffffffu, s, o);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    if (threadIdx.x % 32 == 0) { pm[threadIdx.x / 32] = m; ps[threadIdx.x / 32] = s; }
    __syncthreads();
    float tm = -1e30f, ts = 0.0f;
    for (int w = 0; w < 4; ++w) {
        float nm = fmaxf(tm, pm[w]);
        ts = ts * expf(tm - nm) + ps[w] * expf(pm[w] - nm);
        tm = nm;
    }
    y[blockIdx.x * 128 + threadIdx.x] = ts + tm + s * 0.25f + m;
}
// Each number has its own temperature: no sum of one scale.
__global__ void each(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -1e30f, s = 0.0f;
    for (int c = 0; c < n; ++c) {
        float cold = 1.0f + c * 0.125f;
        float nm = fmaxf(m, x[r * n + c]);
        s = s * expf(cold * (m - nm)) + expf(cold * (x[r * n + c] - nm));
        m = nm;
    }
    y[r] = s + m;
}
__global__ void labelled(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    float m = -1e30f, s = 0.0f;
again:
    k++;
    for (int c = 0; c < n; ++c) {
        float nm = fmaxf(m, x[r * n + c] * k);
        s = s * expf(m - nm) + expf(x[r * n + c] * k - nm);
        m = nm;
    }
    if (k < 3) goto again;
    y[r] = s + m;
}
__device__ int next(int *at) { return (*at)++; }
__global__ void counting(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    float m = -1e30f, s = 0.0f;
    for (int c = 0; next(&k) < n; ++c) {
        float nm = fmaxf(m, x[r * n + c]);
        s = s * expf(m - nm) + expf(x[r * n + c] - nm);
        m = nm;
    }
    y[r] = s + m + k;
}
__global__ void jumping(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = 0.0f, s = 0.0f;
    for (int c = 0; c < n; c += 1 + (m > 0.5f)) {
        float nm = fmaxf(m, x[r * n + c]);
        s = s * expf(m - nm) + expf(x[r * n + c] - nm);
        m = nm;
    }
    y[r] = s + m;
}
// the block's sums of an earlier turn are part of a later one
__global__ void turns(const float *x, float *y, int n)
{
    __shared__ float pm[2], ps[2];
    for (int k = 0; k < 3; ++k)
        if (n > k) {
            float m = x[k * 64 + threadIdx.x], s = 1.0f;
            for (int o = 16; o > 0; o /= 2) {
                float om = __shfl_xor_sync(0xffffffffu, m, o), os = __shfl_xor_sync(0xffffffffu, s, o);
                float nm = fmaxf(m, om);
                s = s * expf(m - nm) + os * expf(om - nm);
                m = nm;
            }
            __syncthreads();
            if (threadIdx.x % 32 == 0 && (k == 0 || threadIdx.x == 0)) { pm[threadIdx.x / 32] = m; ps[threadIdx.x / 32] = s; }
            __syncthreads();
            float tm = -1e30f, ts = 0.0f;
            for (int w = 0; w < 2; ++w) {
                float nm = fmaxf(tm, pm[w]);
                ts = ts * expf(tm - nm) + ps[w] * expf(pm[w] - nm);
                tm = nm;
            }
            y[blockIdx.x * 192 + k * 64 + threadIdx.x] = ts + tm;
        }
}
// other names of the maximum, and what another warp has
__global__ void aliased(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -1.0f, s = 0.0f, *p = &m;
    for (int c = 0; c < n; ++c) {
        float v = x[r * n + c] + *p * 0.5f;
        float nm = fmaxf(m, v);
        s = s * expf(m - nm) + expf(v - nm);
        m = nm;
    }
    y[r] = s + m;
}
__global__ void named(const float *x, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -1.0f, s = 0.0f;
    float &mm = m;
    for (int c = 0; c < n; ++c) {
        float old = m;
        mm = fmaxf(mm, x[r * n + c]);
        s = s * expf(old - m) + expf(x[r * n + c] - m);
    }
    y[r] = s + m;
}
__global__ void told(const float *x, float *y, int n)
{
    __shared__ float total;
    float m = x[blockIdx.x * 64 + threadIdx.x], s = 1.0f;
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o), os = __shfl_xor_sync(0xffffffffu, s, o);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    if (threadIdx.x == 0) total = s;
    __syncthreads();
    s = s + total;
    y[blockIdx.x * 64 + threadIdx.x] = s + m;
}
__global__ void across(const float *x, float *y, int n)
{
    __shared__ float pm[2], ps[2];
    float m = x[blockIdx.x * 64 + threadIdx.x], s = 1.0f;
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o), os = __shfl_xor_sync(0xffffffffu, s, o);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    if (threadIdx.x % 32 == 0) { pm[threadIdx.x / 32] = m; ps[threadIdx.x / 32] = s; }
    __syncthreads();
    s = s + ps[0] * expf(pm[0] - m);
    y[blockIdx.x * 64 + threadIdx.x] = s + m;
}
int main()
{
    const int N = 64, R = 128;
    float *x, *y;
    cudaMallocManaged(&x, R * N * 4);
    cudaMallocManaged(&y, R * N * 4);
#define FRESH for (int i = 0; i < R * N; ++i) x[i] = (i * 7919 % 1009) * 0.002f - 1.0f, y[i] = 0
#define SHOW(k) do { cudaDeviceSynchronize(); double t = 0; for (int i = 0; i < R * N; ++i) t += (x[i] + y[i]) * (1 + i % 13); printf("%s %.3f\n", k, t); FRESH; } while (0)
    FRESH;
    stale<<<4, 32>>>(x, y, N); SHOW("stale");
    before<<<4, 32>>>(x, y, N); SHOW("before");
    squares<<<4, 32>>>(x, y, N); SHOW("squares");
    kept<<<4, 32>>>(x, y, N); SHOW("kept");
    forgets<<<4, 32>>>(x, y, N); SHOW("forgets");
    factors<<<4, 32>>>(x, y, N); SHOW("factors");
    stores<<<4, 32>>>(x, y, N); SHOW("stores");
    crossed<<<4, 32>>>(x, y, N); SHOW("crossed");
    part<<<4, 32>>>(x, y, N); SHOW("part");
    again<<<4, 128>>>(x, y, N); SHOW("again");
    again_s<<<4, 128>>>(x, y, N); SHOW("again_s");
    each<<<4, 32>>>(x, y, N); SHOW("each");
    labelled<<<4, 32>>>(x, y, N); SHOW("labelled");
    counting<<<4, 32>>>(x, y, N); SHOW("counting");
    jumping<<<4, 32>>>(x, y, N); SHOW("jumping");
    turns<<<2, 64>>>(x, y, N); SHOW("turns");
    aliased<<<4, 32>>>(x, y, N); SHOW("aliased");
    named<<<4, 32>>>(x, y, N); SHOW("named");
    told<<<2, 64>>>(x, y, N); SHOW("told");
    across<<<2, 64>>>(x, y, N); SHOW("across");
}
