// Lambdas in kernels, whose parameters are theirs alone. (All of them capture something: GCC 12 ends
// with an internal error at one that does not, inside of a target construct.)
#include <cstdio>

#include <cuda_runtime.h>

struct Pair {
    float first, second;
};

template <class F> __device__ auto twice(F f, float x) { return f(f(x)); }

__global__ void apply(const float *in, const Pair *pairs, float *out, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto scale = [=](auto x) { return x * a; };
    auto add = [&](auto x, auto y) { return x + y + i; };
    auto dot = [=](const Pair &one, const Pair &other) {
        Pair product = {one.first * other.first, one.second * other.second};
        return product.first + a * product.second;
    };
    if (i < n)
        out[i] = twice(scale, in[i]) + add(in[i], 2) + dot(pairs[i], pairs[n - 1 - i]);
}

template <class T> __global__ void flip(const T *in, T *out, int n)
{
    __shared__ T s[64];
    int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    auto guarded = [&](auto &&store) {
        if (i < n)
            store(i);
    };
    guarded([&](auto j) { out[j] = s[63 - j]; });
}

int main()
{
    const int n = 60;
    float h[64], *in, *out;
    Pair h_pairs[64], *pairs;
    for (int i = 0; i < 64; ++i) {
        h[i] = i * 0.5f;
        h_pairs[i] = {float(i % 5), float(i % 3)};
    }
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&pairs, sizeof h_pairs);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(pairs, h_pairs, sizeof h_pairs, cudaMemcpyHostToDevice);
    apply<<<2, 32>>>(in, pairs, out, n, 1.5f);
    cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 7)
        printf("%g ", h[i]);
    flip<<<1, 64>>>(in, out, n);
    cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 7)
        printf("%g ", h[i]);
    printf("\n");
    cudaFree(in);
    cudaFree(out);
    cudaFree(pairs);
    return 0;
}
