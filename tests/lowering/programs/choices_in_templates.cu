// Choices between values of several types in templates have the type that both are converted to.
#include <cstdio>

template <class T> __device__ T moved(T x) { return x + T(threadIdx.x) * T(0.25); }
template <class T> __device__ T summed(T x)
{
    for (int s = 16; s > 0; s /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, s);
    return x;
}
__device__ double twice(double x) { return 2 * x + 0.125 * threadIdx.x; }

template <class T> __global__ void shuffled(T *out, const T *in)
{
    T x = in[threadIdx.x];
    out[blockIdx.x * 32 + threadIdx.x] = blockIdx.x == 1 ? 1 : __shfl_down_sync(0xffffffffu, x, 1);
}

template <class T> __global__ void called(T *out, const T *in)
{
    T x = in[threadIdx.x];
    T a = threadIdx.x < 3 ? 0 : moved(x);
    T b;
    b = threadIdx.x % 2 == 0 ? moved(x) : 7u;
    out[threadIdx.x] = a + (threadIdx.x < 9 ? b : twice(x)) + (x > 2 ? -moved(x) : 3);
}

template <class T> __global__ void together(T *out, const T *in, bool whole)
{
    T x = in[threadIdx.x];
    out[threadIdx.x] = (whole ? summed(x) : 0) + (whole && summed(x) > 3 ? 2 : x);
}

template <class T> void show(const char *name)
{
    T *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(T));
    cudaMallocManaged(&out, 64 * sizeof(T));
    for (int i = 0; i < 32; ++i)
        in[i] = T(i * 0.3);
    auto print = [&](int n) {
        cudaDeviceSynchronize();
        printf("%s:", name);
        for (int i = 0; i < n; ++i)
            printf(" %g", double(out[i]));
        printf("\n");
    };
    shuffled<T><<<2, 32>>>(out, in);
    print(64);
    called<T><<<1, 32>>>(out, in);
    print(32);
    together<T><<<1, 32>>>(out, in, true);
    print(32);
    together<T><<<1, 32>>>(out, in, false);
    print(32);
}

int main()
{
    show<float>("float");
    show<double>("double");
    show<int>("int");
}
