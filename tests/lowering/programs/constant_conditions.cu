// What a constant condition of a template leaves out need not compile.
#include <cstdio>

template <class T> static T *filled(int n, int factor = 7, int modulus = 13, int offset = -3) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<T>(i * factor % modulus + offset);
    return p;
}

template <class T> static void show(const char *what, const T *p, int n) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < n; ++i)
        printf(" %g", static_cast<double>(p[i]));
    printf("\n");
}

struct CxA {
    int a;
    __device__ int pick() const { return a; }
};
struct CxB {
    float b;
};
template <class T> __global__ void cx_k(const T *x, float *o, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if constexpr (sizeof(T) == 8)
        return;
    if constexpr (std::is_same<T, CxA>::value) {
        s[t] = x[t].pick();
        __syncthreads();
        o[t] = s[63 - t];
    } else {
        s[t] = x[t].b;
        __syncthreads();
        if (t < n)
            o[t] = s[(t + 1) % 64] * 2;
    }
}
template <bool SUM> __device__ auto cx_f(int a, float b) {
    if constexpr (SUM)
        return a + b;
    else
        return a;
}
template <bool SUM> __device__ auto cx_g(int a, float b) {
    if constexpr (SUM) {
        return __shfl_xor_sync(0xffffffff, a + b, 1);
    } else {
        return __shfl_xor_sync(0xffffffff, a, 2);
    }
}
__global__ void cx_u(float *o) {
    int t = threadIdx.x;
    o[t] = cx_f<true>(t, 0.5f) + cx_f<false>(t, 0.25f);
}
template <int MODE> __global__ void cx_w(int *o, int n) {
    int t = threadIdx.x;
    int v = o[t];
    if constexpr (MODE == 1) {
        v += __shfl_down_sync(0xffffffffu, v, 4);
    } else if constexpr (MODE == 2) {
        for (int d = 16; d; d /= 2)
            v += __shfl_xor_sync(0xffffffffu, v, d);
    }
    if (t < n)
        o[t] = v;
}
// Unsigned constants wrap round: this one is 2, and the barriers stay.
__global__ void cx_x(int *o) {
    __shared__ int s[64];
    int t = threadIdx.x;
    unsigned choice = (8u * (31u + 0x80000000u)) % 3u;
    if (choice == 0u) {
        o[t] = 1;
    } else {
        s[t] = o[t];
        __syncthreads();
        for (int step = 32; step > 0; step >>= 1) {
            if (t < step)
                s[t] += s[t + step] * 3;
            __syncthreads();
        }
        o[t] = s[0];
    }
}

int main() {
    {
        CxA *a = (CxA *)filled<int>(64);
        CxB *b = (CxB *)filled<float>(64);
        float *o = filled<float>(64);
        cx_k<<<1, 64>>>(a, o, 50);
        show("cx1", o, 64);
        cx_k<<<1, 64>>>(b, o, 50);
        show("cx1", o, 64);
        cx_u<<<1, 64>>>(o);
        show("cx1", o, 64);
        int *v = filled<int>(64);
        cx_w<0><<<1, 64>>>(v, 50);
        cx_w<1><<<1, 64>>>(v, 50);
        show("cx1", v, 64);
        cx_w<2><<<1, 64>>>(v, 50);
        show("cx1", v, 64);
        cx_x<<<1, 64>>>(v);
        show("cx1", v, 64);
    }
    return 0;
}
