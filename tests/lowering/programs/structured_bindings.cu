// Structured bindings: of records, pairs, tuples and arrays, in values and by reference.
#include <cstdio>
#include <tuple>
#include <utility>

struct Limits {
    int low;
    float high;
};

__device__ Limits limits(int i) { return {i, i * 0.5f}; }
__device__ std::pair<int, float> both(int i) { return {i + 1, i * 0.25f}; }
__device__ std::tuple<int, float, double> all(int i) { return {i, 2.0f * i, 3.0 * i}; }

__global__ void bind(float *x) {
    __shared__ float s[64];
    int t = threadIdx.x;
    auto [low, high] = limits(t);
    const auto [first, second] = both(t);
    auto [one, two, three] = all(t);
    int pair[2] = {t, 2 * t};
    auto &[left, right] = pair;
    left += 3;
    low += right;
    s[t] = low + high + first + second;
    __syncthreads();
    high += 1;
    x[t] = s[63 - t] + one + two + float(three) + pair[0] + left + high;
}

template <class T>
__global__ void bind_dependent(T *x) {
    Limits all[4] = {{1, 2.0f}, {3, 4.0f}, {5, 6.0f}, {7, 8.0f}};
    auto &[low, high] = all[threadIdx.x % 4];
    high += low;
    T pair[2] = {x[threadIdx.x], T(low)};
    auto &[left, right] = pair;
    left *= right;
    x[threadIdx.x] = pair[0];
    x[threadIdx.x] += T(all[threadIdx.x % 4].high);
}

int main() {
    float *x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    bind<<<1, 64>>>(x);
    bind_dependent<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%g\n", x[i]);
    cudaFree(x);
    return 0;
}
