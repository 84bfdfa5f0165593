// Shuffles of values whose types depend on template arguments.
#include <cstdio>
#define N 64

struct Complex {
    float re, im;
};

template <int Chunks, int Items> __device__ void exchange(float x[Chunks][Items])
{
    int lane = threadIdx.x % 32;
    for (int step = 0; step < 5; ++step) {
        const int mask = 1 << step;
        const float sign = (lane & mask) ? -1.f : 1.f;
        for (int c = 0; c < Chunks; ++c)
            for (int i = 0; i < Items; ++i) {
                float other = __shfl_xor_sync(0xffffffff, x[c][i], mask);
                x[c][i] = sign * x[c][i] + other;
            }
    }
}

template <typename T, typename Pool> __device__ void take(T &value, Pool *pool, int lane)
{
    value += __shfl_sync(0xffffffff, value, (lane + pool->step) % 32);
}

struct Pool {
    int step;
};

template <typename C, typename P> __global__ void k(C *out, const C *in, P pool)
{
    int t = threadIdx.x;
    C sum = {0, 0};
    for (int i = 0; i < 3; ++i) {
        sum.re += in[t].re * i;
        sum.im += in[t].im + i;
    }
    for (int s = 16; s > 0; s /= 2) {
        sum.re += __shfl_down_sync(0xffffffff, sum.re, s);
        sum.im += __shfl_down_sync(0xffffffff, sum.im, s);
    }
    float x[2][2] = {{float(t), 1}, {2, sum.im}};
    exchange<2, 2>(x);
    int steps = t;
    take(steps, &pool, t % 32);
    sum.im += steps;
    sum.re += x[1][1] + x[0][0];
    out[t] = sum;
}

int main()
{
    Complex *out, *in, host[N];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&in, sizeof host);
    for (int i = 0; i < N; ++i)
        host[i] = {i % 5 * 1.f, i % 7 * 1.f};
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, N>>>(out, in, Pool{3});
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i)
        printf("%g %g\n", host[i].re, host[i].im);
}
