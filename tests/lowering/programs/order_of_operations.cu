// What a comma or a list in braces puts in front of an operation between threads happens first;
// limits may be the largest number there is.
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

#include <climits>
__global__ void im_a(int *o, int hi) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= hi)
        o[i] = 1;
}
__global__ void im_b(int *o, int lo) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > lo)
        o[i] = 2;
}
__global__ void im_c(int *o, int hi) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t <= hi)
        o[t] = s[31 - t];
}
__global__ void im_d(int *o, int hi, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= hi; i += blockDim.x * gridDim.x) {
        if (i >= n)
            break;
        o[i] = i;
    }
}

__global__ void co_k(int *o) {
    int k = threadIdx.x, v;
    v = (k = k * 2, __shfl_xor_sync(0xffffffffu, k, 1));
    k += 3;
    int q[2] = {k - 1, __shfl_xor_sync(0xffffffffu, k, 2)};
    int w = (k++, __any_sync(0xffffffffu, k == 7)) ? k : -k;
    o[threadIdx.x] = v + q[0] * 100 + q[1] * 1000 + w * 7;
}

struct BrQ {
    int a, b;
};
__device__ int brw(int *x) {
    *x += __shfl_xor_sync(0xffffffffu, *x, 1);
    return *x;
}
__global__ void brq_k(int *o, const int *in) {
    int x = threadIdx.x, y = 2;
    BrQ r = {y + in[threadIdx.x], brw(&x)};
    int v[2] = {y * 3, brw(&x)};
    o[threadIdx.x] = r.a * 13 + r.b * 17 + v[0] * 19 + v[1] * 23;
}

__global__ void ca1(int *a, int n) {
    int T = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + T < n; i += T)
        a[i + T] = a[i] * 2 + 1;
}
__global__ void ca2(int *a, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = t; k < n; k += gridDim.x * blockDim.x)
        if (k >= 64)
            a[k] += a[k - gridDim.x * blockDim.x];
}
__global__ void ca3(int *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 64)
        if (i >= 64)
            a[i] += a[i - 64];
}

int main() {
    {
        int *o = filled<int>(64, 0, 1, 0);
        im_a<<<2, 32>>>(o, INT_MAX);
        show("intmax", o, 64);
        im_b<<<2, 32>>>(o, INT_MAX);
        show("intmax", o, 64);
        im_b<<<2, 32>>>(o, -1);
        show("intmax", o, 64);
        im_c<<<1, 32>>>(o, INT_MAX);
        show("intmax", o, 64);
        im_a<<<2, 32>>>(o, 40);
        show("intmax", o, 64);
        im_d<<<2, 16>>>(o, INT_MAX - 40, 64);
        show("intmax", o, 64);
    }
    {
        int *o = filled<int>(32);
        co_k<<<1, 32>>>(o);
        show("commas", o, 32);
    }
    {
        int *o = filled<int>(32), *i = filled<int>(32);
        brq_k<<<1, 32>>>(o, i);
        show("braces2", o, 32);
    }
    {
        int *a = filled<int>(300);
        ca1<<<2, 32>>>(a, 300);
        show("carried", a, 300);
        ca2<<<2, 32>>>(a, 300);
        show("carried", a, 300);
        ca3<<<2, 32>>>(a, 300);
        show("carried", a, 300);
    }
    return 0;
}
