// What a branch of `if constexpr` declares is not for the other instances of a template.
#include <cstdio>

constexpr int logarithm(int n) { return n <= 1 ? 0 : 1 + logarithm(n / 2); }

template <int BYTES> struct Word;
template <> struct Word<4> { using Type = unsigned; };

template <int N> __global__ void turn(float *x)
{
    __shared__ float s[64];
    float v[N];
    for (int i = 0; i < N; ++i)
        v[i] = x[threadIdx.x * N + i];
    if constexpr (N == 3) {
        v[2] += 1;
    } else {
        constexpr int power = logarithm(N);
        static_assert(1 << power == N, "a power of 2, too");
        s[threadIdx.x] = v[0];
        __syncthreads();
        v[1] = s[63 - threadIdx.x] * power;
        __syncthreads();
    }
    if constexpr (N == 3) {
        v[0] += v[1];
    } else {
        constexpr int steps = logarithm(N);
        static_assert(1 << steps == N, "a power of 2");
        using Bits = typename Word<N>::Type;
        const Bits low = static_cast<Bits>(v[1]);
        v[0] += v[N / 2] * steps + low;
    }
    s[threadIdx.x] = v[0];
    __syncthreads();
    for (int i = 0; i < N; ++i)
        x[threadIdx.x * N + i] = v[i] + s[(threadIdx.x + 1) % 64];
}

int main()
{
    float *x;
    cudaMallocManaged(&x, 256 * sizeof(float));
    for (int i = 0; i < 256; ++i)
        x[i] = i % 13;
    turn<3><<<1, 64>>>(x);
    turn<4><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 256; ++i)
        sum += x[i] * (i % 7);
    std::printf("%g\n", sum);
}
