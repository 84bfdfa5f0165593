// What threads do beside a guard is done by those that it keeps out, too.
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

__global__ void drop_atomic(int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    int v = atomicAdd(count, 1);
    if (threadIdx.x < n)
        out[i] = 5;
}

__global__ void drop_atomic2(int *out, int *count, int n) {
    __shared__ int s[16];
    s[threadIdx.x] = 3;
    __syncthreads();
    int v = atomicAdd(count, 1);
    if (threadIdx.x < n)
        out[blockIdx.x * 16 + threadIdx.x] = 5 + (v >= 0) + s[15 - threadIdx.x];
}

int main() {
    {
        int *a = filled<int>(64), *c = filled<int>(1, 0, 1, 0);
        drop_atomic<<<2, 16>>>(a, c, 5);
        show("drop_atomic", a, 64);
        show("drop_atomic", c, 1);
    }
    {
        int *a = filled<int>(64), *c = filled<int>(1, 0, 1, 0);
        drop_atomic2<<<2, 16>>>(a, c, 5);
        show("drop_atomic2", a, 64);
        show("drop_atomic2", c, 1);
    }
    return 0;
}
