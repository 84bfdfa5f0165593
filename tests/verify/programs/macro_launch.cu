// Launches of templates out of macros and over several lines; overloads; a kernel in a namespace.
#include <cstdio>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = (call);                                                                    \
        if (e != cudaSuccess)                                                                      \
            printf("%s line %d: %s\n", #call, __LINE__, cudaGetErrorString(e));                    \
    } while (0)
#define LAUNCH(kernel, type, n, ...)                                                               \
    kernel<type, 4>                                                                                \
        <<<(n + 31) / 32,                                                                          \
           32>>>(__VA_ARGS__);                                                                     \
    CHECK(cudaGetLastError())

template <typename T, int K> __global__ void scale(T *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= K;
}
namespace deep {
__global__ void fill(float *x, int n, float v, const int *offset) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        x[i] = v + (offset ? *offset : i);
}
} // namespace deep
template <typename T> struct Op {
    T by;
    __device__ T operator()(T v) const { return v + by; }
};
template <class F> __global__ void apply(float *x, int n, F f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = f(x[i]);
}
template <class T> __global__ void add(T *x, int n, T v) {
    if (threadIdx.x < n)
        x[threadIdx.x] += v;
}

int main() {
    float *x;
    int n = 70, step = 0;
    CHECK(cudaMallocManaged(&x, n * sizeof *x));
    deep::fill<<<dim3((n + 31) / 32, 1, 1), 32, 0, 0>>>(x, n, 1, NULL);
    LAUNCH(scale, float, n, x, n);
    apply<<<1, 8>>>(x, n, Op<float>{0.5f});
    add<float>
        <<<1,
           64>>>(x, ++step ? n : 0,
                 2);
    add<<<1, 1>>>((int *)x + n - 1, 0, 0);
    CHECK(cudaMemcpy(x, x, 4, (cudaMemcpyKind)77));
    scale<float, 2><<<1, 2000>>>(x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaGetLastError());
    printf("%g %g %g %d\n", x[0], x[1], x[69], step);
}
// output: cudaMemcpy(x, x, 4, (cudaMemcpyKind)77) line 51: invalid copy direction for memcpy
// output: cudaGetLastError() line 53: invalid configuration argument
// output: 6.5 10.5 280.5 1
