#include <cstdio>

// Lambdas that name the shared memory around them, and lambdas that templates are given.
template <class F> __device__ float at(F f, int i)
{
    return f(i);
}

template <class F> __device__ void each(int n, F &&f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        f(i);
}

__global__ void own(float *x)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    auto get = [&](int i) { return s[i]; };
    float a = s[t];
    x[t] = a + get(63 - t);
}

__global__ void handed(float *x)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t] * 2;
    __syncthreads();
    float a = s[t] + at([&](int i) { return s[i]; }, 63 - t);
    __syncthreads();
    s[t] = a;
    __syncthreads();
    each(64, [&](int i) { x[i] = s[63 - i] + s[i] * 3; });
}

__global__ void behind_barriers(float *x)
{
    __shared__ float s[64];
    __shared__ float u[64];
    int t = threadIdx.x;
    auto get = [&](int i) { return s[i] + u[i]; };
    auto put = [&](int i, float v) {
        s[i] = v;
        u[63 - i] = 2 * v;
    };
    each(64, [&](int i) {
        s[i] = x[i];
        u[i] = 1;
    });
    __syncthreads();
    float a = get(63 - t);
    __syncthreads();
    put((t + 5) % 64, a);
    __syncthreads();
    x[t] = get(t) + get((t + 1) % 64) + a;
}

__global__ void with_barriers(float *x)
{
    __shared__ float s[64];
    auto sum = [&](float v) {
        s[threadIdx.x] = v;
        __syncthreads();
        for (int d = 32; d > 0; d /= 2) {
            if (threadIdx.x < d)
                s[threadIdx.x] += s[threadIdx.x + d];
            __syncthreads();
        }
        float all = s[0];
        __syncthreads();
        return all;
    };
    float a = sum(x[threadIdx.x]);
    x[threadIdx.x] = a - sum(x[threadIdx.x] * 0.5f);
}

__global__ void dynamic(float *x)
{
    extern __shared__ float d[];
    __shared__ int count;
    int t = threadIdx.x;
    auto add = [&](int i, float v) {
        atomicAdd(&count, 1);
        d[i] += v;
    };
    if (t == 0)
        count = 0;
    d[t] = x[t];
    __syncthreads();
    for (int o = 32; o > 0; o /= 2) {
        if (t < o)
            add(t, d[t + o]);
        __syncthreads();
    }
    x[t] = d[0] + count;
}

template <int N> __global__ void tiles(float *x)
{
    __shared__ float s[N][N + 1];
    int a = threadIdx.x, b = threadIdx.y;
    const auto load = [&] { s[b][a] = x[b * N + a]; };
    load();
    __syncthreads();
    const auto turned = [&](auto f) { return f(s[a][b]); };
    x[b * N + a] = turned([](float v) { return v * 2; });
}

// What they evaluate where they are made: brackets in it, elements of kept arrays, addresses.
__global__ void evaluated(float *x)
{
    __shared__ float s[64], u[64];
    int t = threadIdx.x;
    float q = x[t] * 3, z = q;
    s[t] = x[t];
    u[t] = 2 * x[t];
    __syncthreads();
    auto f = [v = s[63 - t] + q, w = q](int i) { return v * i + w; };
    auto g = [v = s[(t + 1) % 64]](int i) { return v * i + u[(i + 7) % 64]; };
    auto h = [v = x[t], &q, w = max(t, 3)](int i) {
        q += v + w;
        return v * i;
    };
    auto a = [w = &z, &q](float i) {
        *w += i;
        q += 1;
        return i;
    };
    float r = f(2) + g(t) + h(t + 1) + a(t);
    __syncthreads();
    s[t] = r;
    __syncthreads();
    x[t] = s[63 - t] + q + z;
}

int main()
{
    float *x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    for (int kernel = 0; kernel < 7; ++kernel) {
        for (int i = 0; i < 64; ++i)
            x[i] = i % 9;
        switch (kernel) {
        case 0: own<<<1, 64>>>(x); break;
        case 1: handed<<<1, 64>>>(x); break;
        case 2: behind_barriers<<<1, 64>>>(x); break;
        case 3: with_barriers<<<1, 64>>>(x); break;
        case 4: dynamic<<<1, 64, 64 * sizeof(float)>>>(x); break;
        case 6: evaluated<<<1, 64>>>(x); break;
        case 5: tiles<8><<<1, dim3(8, 8)>>>(x); break;
        }
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i)
            printf("%g ", x[i]);
        printf("\n");
    }
    return 0;
}
