// Sums that are kept relative to a running maximum ("online softmax"), as they are written.
#include <cfloat>
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

// by branches, a thread for each row
__global__ void branches(const float *x, float *y, int rows, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float m = -FLT_MAX, s = 0.0f;
    for (int c = 0; c < n; ++c) {
        float v = x[r * n + c];
        if (v > m) {
            s = s * expf(m - v) + 1.0f;
            m = v;
        } else {
            s += expf(v - m);
        }
    }
    for (int c = 0; c < n; ++c)
        y[r * n + c] = expf(x[r * n + c] - m) / s;
}

// with a correction, chunks of four and a weighted sum
__global__ void chunks(const float *x, const float *w, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -INFINITY, s = 0.0f, acc = 0.0f;
    for (int c = 0; c < n; c += 4) {
        float old = m;
        for (int k = 0; k < 4; ++k)
            m = fmaxf(m, x[r * n + c + k]);
        float fix = expf(old - m);
        s *= fix;
        acc = acc * fix;
        for (int k = 0; k < 4; ++k) {
            float p = expf(x[r * n + c + k] - m);
            s += p;
            acc += p * w[c + k];
        }
    }
    y[r] = acc / s + logf(s) + m;
}

// a block for each row
__global__ void block_rows(const float *x, float *y, int n)
{
    __shared__ float pm[8], ps[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *row = x + blockIdx.x * n;
    float m = -INFINITY, s = 0.0f;
    for (int c = threadIdx.x; c < n; c += 256) {
        float before = m;
        m = fmaxf(m, row[c]);
        s = s * expf(before - m) + expf(row[c] - m);
    }
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o), os = __shfl_xor_sync(0xffffffffu, s, o);
        float both = fmaxf(m, om);
        s = s * expf(m - both) + os * expf(om - both);
        m = both;
    }
    if (lane == 0) { pm[warp] = m; ps[warp] = s; }
    __syncthreads();
    float tm = -INFINITY, ts = 0.0f;
    for (int w = 0; w < 8; ++w) {
        float both = fmaxf(tm, pm[w]);
        ts = ts * expf(tm - both) + ps[w] * expf(pm[w] - both);
        tm = both;
    }
    for (int c = threadIdx.x; c < n; c += 256)
        y[blockIdx.x * n + c] = expf(row[c] - tm) / ts;
}

// shuffles down, broadcast by the first lane
__global__ void down(const float *x, float *y, int n)
{
    const float *row = x + blockIdx.x * n;
    float m = -INFINITY, s = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) {
        float before = m;
        m = fmaxf(m, row[c]);
        s = s * expf(before - m) + expf(row[c] - m);
    }
    for (int o = 16; o > 0; o >>= 1) {
        float om = __shfl_down_sync(0xffffffffu, m, o);
        float os = __shfl_down_sync(0xffffffffu, s, o);
        float nm = fmaxf(m, om);
        s = s * expf(m - nm) + os * expf(om - nm);
        m = nm;
    }
    m = __shfl_sync(0xffffffffu, m, 0);
    s = __shfl_sync(0xffffffffu, s, 0);
    for (int c = threadIdx.x; c < n; c += 32)
        y[blockIdx.x * n + c] = expf(row[c] - m) / s;
}

// what has begun already
__global__ void twice(const float *x, const float *z, float *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float m = z[r], s = 1.0f;
    for (int c = 0; c < n; ++c) {
        float nm = fmaxf(x[r * n + c], m);
        s = s * expf(m - nm) + expf(x[r * n + c] - nm);
        m = nm;
    }
    y[r] = m + logf(s);
}

// a block that goes over rows, with the second step by the first warp
__global__ void grid_rows(const float *x, float *y, int rows, int n)
{
    __shared__ float pm[4], ps[4];
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        float m = -1e30f, s = 0.0f;
        for (int c = threadIdx.x; c < n; c += blockDim.x) {
            float nm = fmaxf(m, x[r * n + c]);
            s = s * expf(m - nm) + expf(x[r * n + c] - nm);
            m = nm;
        }
        for (int o = 16; o > 0; o /= 2) {
            float om = __shfl_xor_sync(0xffffffffu, m, o);
            float os = __shfl_xor_sync(0xffffffffu, s, o);
            float nm = fmaxf(m, om);
            s = s * expf(m - nm) + os * expf(om - nm);
            m = nm;
        }
        int lane = threadIdx.x % 32, w = threadIdx.x / 32;
        if (lane == 0) { pm[w] = m; ps[w] = s; }
        __syncthreads();
        if (w == 0) {
            m = lane < 4 ? pm[lane] : -1e30f;
            s = lane < 4 ? ps[lane] : 0.0f;
            for (int o = 16; o > 0; o /= 2) {
                float om = __shfl_xor_sync(0xffffffffu, m, o);
                float os = __shfl_xor_sync(0xffffffffu, s, o);
                float nm = fmaxf(m, om);
                s = s * expf(m - nm) + os * expf(om - nm);
                m = nm;
            }
            if (lane == 0) { pm[0] = m; ps[0] = s; }
        }
        __syncthreads();
        m = pm[0];
        s = ps[0];
        for (int c = threadIdx.x; c < n; c += blockDim.x)
            y[r * n + c] = expf(x[r * n + c] - m) / s;
        __syncthreads();
    }
}

// once, with the second step by the first warp
__global__ void once(const float *x, float *y, int n)
{
    __shared__ float pm[4], ps[4];
    float m = -1e30f, s = 0.0f;
    const float *row = x + blockIdx.x * n;
    for (int c = threadIdx.x; c < n; c += blockDim.x) {
        float v = row[c];
        if (v > m) { s *= __expf(m - v); m = v; }
        s += __expf(v - m);
    }
    for (int o = 16; o > 0; o /= 2) {
        float om = __shfl_xor_sync(0xffffffffu, m, o);
        float os = __shfl_xor_sync(0xffffffffu, s, o);
        if (om > m) { s = s * __expf(m - om) + os; m = om; }
        else s += os * __expf(om - m);
    }
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    if (lane == 0) { pm[w] = m; ps[w] = s; }
    __syncthreads();
    if (w == 0) {
        m = lane < 4 ? pm[lane] : -1e30f;
        s = lane < 4 ? ps[lane] : 0.0f;
        for (int o = 16; o > 0; o /= 2) {
            float om = __shfl_xor_sync(0xffffffffu, m, o);
            float os = __shfl_xor_sync(0xffffffffu, s, o);
            float nm = fmaxf(m, om);
            s = fmaf(s, __expf(m - nm), os * __expf(om - nm));
            m = nm;
        }
        if (lane == 0) { pm[0] = m; ps[0] = s; }
    }
    __syncthreads();
    m = pm[0];
    s = ps[0];
    for (int c = threadIdx.x; c < n; c += blockDim.x)
        y[blockIdx.x * n + c] = __expf(row[c] - m) / s;
}

// With a temperature, in chunks of two and a rest, and reductions of cooperative groups.
__global__ void tempered(float *y, float cold, const float *x, int rows, int n)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    int r = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (r >= rows)
        return;
    const float *row = x + r * n;
    const float2 *pairs = reinterpret_cast<const float2 *>(row);
    float m = -FLT_MAX, s = 0.0f;
    for (int i = warp.thread_rank(); i < n / 2; i += warp.size()) {
        float2 v = pairs[i];
        float old = m;
        m = fmaxf(m, fmaxf(v.x, v.y));
        s *= expf(cold * (old - m));
        s += expf(cold * (v.x - m)) + expf((v.y - m) * cold);
    }
    if (n % 2 + (int)warp.thread_rank() == 1) {
        float old = m;
        m = fmaxf(m, row[n - 1]);
        s *= expf(cold * (old - m));
        s += expf(cold * (row[n - 1] - m));
    }
    float whole = cg::reduce(warp, m, cg::greater<float>());
    s *= expf(cold * (m - whole));
    float sum = cg::reduce(warp, s, cg::plus<float>());
    for (int i = warp.thread_rank(); i < n; i += warp.size())
        y[r * n + i] = expf(cold * (row[i] - whole)) / sum;
}

int main()
{
    const int R = 64, N = 256;
    float *x, *w, *y;
    cudaMallocManaged(&x, R * N * sizeof(float));
    cudaMallocManaged(&w, N * sizeof(float));
    cudaMallocManaged(&y, R * N * sizeof(float));
    for (int i = 0; i < R * N; ++i)
        x[i] = (i * 7919 % 1009) * 0.01f - 3.0f;
    for (int i = 0; i < N; ++i)
        w[i] = i * 0.125f;
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < R * N; ++i)
            y[i] = 0.0f;
        switch (k) {
        case 0: branches<<<2, 32>>>(x, y, R, N); break;
        case 1: chunks<<<2, 32>>>(x, w, y, N); break;
        case 2: block_rows<<<R, 256>>>(x, y, N); break;
        case 3: down<<<R, 32>>>(x, y, N); break;
        case 4: twice<<<2, 32>>>(x, w, y, N); break;
        case 5: grid_rows<<<3, 128>>>(x, y, R, N); break;
        case 6: once<<<R, 128>>>(x, y, N); break;
        case 7: tempered<<<8, 256>>>(y, 0.75f, x, R, N - 1); break;
        }
        cudaDeviceSynchronize();
        double sum = 0.0;
        for (int i = 0; i < R * N; ++i)
            sum += y[i] * (1 + i % 13);
        printf("%d %.4f\n", k, sum);
    }
}
