// Functions that need the launch, called in ways that are read from elsewhere: default arguments,
// temporaries beside variables, literals of the program's own, recursion by template arguments.
#include <cstdio>
struct V {
    int x;
};
__device__ V operator+(V a, V b) { return {a.x + b.x + (int)threadIdx.x}; }
__device__ V operator"" _v(unsigned long long q) { return {(int)q}; }
struct View {
    const int *p;
    __device__ int get(int i) const { return p[blockIdx.x * 32 + i]; }
};
__device__ int at(const int *p, int i, int t = threadIdx.x) { return p[(i + t) & 63]; }
template <int N> __device__ int twice(int x)
{
    if constexpr (N == 0)
        return x + threadIdx.x;
    else
        return twice<N - 1>(x) + 2 * twice<N - 1>(x + 1);
}
template <int N> __device__ void sum(int *s)
{
    if constexpr (N > 1) {
        if (threadIdx.x < N / 2)
            s[threadIdx.x] += s[threadIdx.x + N / 2];
        __syncthreads();
        sum<N / 2>(s);
    }
}
template <class F> __device__ int block_sum(F f)
{
    __shared__ int s[32];
    s[threadIdx.x] = f(threadIdx.x);
    __syncthreads();
    for (int d = 16; d; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    return s[0];
}
__global__ void k(const int *a, int *o)
{
    View v{a};
    __shared__ int s[32];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    sum<32>(s);
    V w{a[threadIdx.x]};
    w = w + 3_v;
    int q = block_sum([a](int t) { return a[t] & 7; });
    o[blockIdx.x * 32 + threadIdx.x] =
        v.get(threadIdx.x) + View{a}.get(2) + at(a, 3) + twice<3>(1) + s[0] + w.x + q;
}
__global__ void flat(const int *a, int *o)
{
    View v{a};
    o[blockIdx.x * 32 + threadIdx.x] += v.get(threadIdx.x) + View{a}.get(2);
}
int main()
{
    int *a;
    cudaMallocManaged(&a, 1024);
    for (int i = 0; i < 64; i++)
        a[i] = i * 3;
    k<<<2, 32>>>(a, a + 64);
    cudaDeviceSynchronize();
    flat<<<2, 32>>>(a, a + 64);
    cudaDeviceSynchronize();
    for (int i = 64; i < 128; i++)
        printf("%d\n", a[i]);
}
