// Shared arrays of one declaration, some of which every thread uses its own element of.
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

__global__ void os_k(const float *x, float *o, float *p) {
    // both are of the thread alone
    __shared__ float c[32], d[32], e[33];
    c[threadIdx.x] = d[threadIdx.x] = x[threadIdx.x];
    e[threadIdx.x + 1] = x[threadIdx.x] * 2;
    if (threadIdx.x == 0)
        e[0] = 7;
    __syncthreads();
    o[threadIdx.x] = c[threadIdx.x] + d[threadIdx.x] * 2;
    __syncthreads();
    c[threadIdx.x] *= 3;
    p[threadIdx.x] = c[threadIdx.x] + e[threadIdx.x];
}
__global__ void os_l(const float *x, float *o) {
    __shared__ int k[64], m[64];
    for (int i = 0; i < 3; ++i) {
        k[threadIdx.x] = i;
        m[threadIdx.x] = k[threadIdx.x] * 2;
        __syncthreads();
        o[threadIdx.x] += m[threadIdx.x] + x[threadIdx.x];
        __syncthreads();
    }
}

int main() {
    {
        float *x = filled<float>(64), *o = filled<float>(64, 0, 1, 0), *p = filled<float>(64);
        os_k<<<1, 32>>>(x, o, p);
        show("ownshared", o, 32);
        show("ownshared", p, 32);
        os_l<<<1, 64>>>(x, o);
        show("ownshared", o, 64);
    }
    return 0;
}
