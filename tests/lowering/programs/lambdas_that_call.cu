// Lambdas whose calls need the launch go where they are called, by templates and other lambdas too.
#include <cstdio>
__device__ int rank3(int q) { return q * 3 + threadIdx.x * (q + 1); }
template <class F> __device__ int twice(F f, int a) { return f(a) + f(a + 1); }
__global__ void k(const int *x, int *y) {
    const int i = threadIdx.x;
    const auto g = [=](int z) { return rank3(x[z] + z) + 1; };
    const auto h = [=](int z) { return g(z + 1) * g(z); };
    y[i] = h(i) + twice(g, i);
}
// What the lambda calls runs each time that the lambda does.
__device__ int bump(int *c) {
    int old = *c;
    *c += 1;
    return old + int(threadIdx.x);
}

template <typename F> __device__ int sum_of(F f, int n) {
    int s = 0;
    for (int k = 0; k < n; ++k)
        s += f(k);
    return s;
}

__global__ void counted(int *out) {
    int c = 0;
    int s = sum_of([&](int) { return bump(&c); }, 3);
    out[threadIdx.x] = s + 100 * c;
}

int main() {
    int *x;
    cudaMallocManaged(&x, 1024);
    for (int i = 0; i < 64; ++i)
        x[i] = i * 7 % 11;
    k<<<1, 32>>>(x, x + 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d\n", x[64 + i]);
    counted<<<1, 8>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i)
        printf("%d\n", x[i]);
}
