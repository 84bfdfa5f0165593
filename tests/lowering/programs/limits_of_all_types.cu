// Guards that compare indices with numbers of other types, or with what wraps around.
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

__global__ void le_unsigned(int *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n - 1)
        out[i] = i * 3 + 1;
}

__global__ void gt_unsigned(int *out, unsigned n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - 1)
        return;
    out[i] = i * 5 + 1;
}

__global__ void lim_uns(int *out, unsigned n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    if (t < n - 5u)
        s[t] = 2;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t];
}

__global__ void lower_uns(int *out, unsigned n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    if (t >= n - 5u)
        s[t] = 2;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t];
}

__global__ void lower_uns_flat(int *out, unsigned n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 5)
        return;
    out[i] = 9;
}

__global__ void lower_sizet(int *out, size_t n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        out[i] = 9;
}

__global__ void upper_sizet(int *out, size_t n, long long m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < m)
        out[i] = 9;
}

__global__ void mixed_limits(int *out, int n, unsigned m, short q) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i < m && i < q && i >= 3)
        out[i] = 9;
}

__global__ void ll_limits(int *out, long long lo, long long hi) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lo || i > hi)
        return;
    out[i] = 8;
}

__global__ void int_ll_lower(int *out, long long lo, long long hi) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lo || i > hi)
        return;
    out[i] = 8;
}

__global__ void halving_after(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int h;
    for (h = blockDim.x / 2; h > 0; h >>= 1) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    h = 60;
    if (t < h)
        out[blockIdx.x * 64 + t] = s[0] + t;
}

__global__ void halving_neg(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int h = blockDim.x / 2; h < 50; h -= -16) {
        if (t < h)
            s[t] += 1;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

int main() {
    {
        int *a = filled<int>(64);
        le_unsigned<<<2, 16>>>(a, 20);
        show("le_unsigned", a, 64);
        le_unsigned<<<2, 16>>>(a, 0);
        show("le_unsigned", a, 64);
    }
    {
        int *a = filled<int>(64);
        gt_unsigned<<<2, 16>>>(a, 20);
        show("gt_unsigned", a, 64);
        gt_unsigned<<<2, 16>>>(a, 0);
        show("gt_unsigned", a, 64);
    }
    {
        int *a = filled<int>(64);
        lim_uns<<<2, 32>>>(a, 9);
        show("lim_uns", a, 64);
        lim_uns<<<2, 32>>>(a, 3);
        show("lim_uns", a, 64);
    }
    {
        int *a = filled<int>(64);
        lower_uns<<<2, 32>>>(a, 9);
        show("lower_uns", a, 64);
        lower_uns<<<2, 32>>>(a, 3);
        show("lower_uns", a, 64);
    }
    {
        int *a = filled<int>(64);
        lower_uns_flat<<<2, 32>>>(a, 9);
        show("lower_uns_flat", a, 64);
        lower_uns_flat<<<2, 32>>>(a, 3);
        show("lower_uns_flat", a, 64);
    }
    {
        int *a = filled<int>(64);
        lower_sizet<<<2, 32>>>(a, 9);
        show("lower_sizet", a, 64);
        lower_sizet<<<2, 32>>>(a, (size_t)1 << 33);
        show("lower_sizet", a, 64);
        lower_sizet<<<2, 32>>>(a, ((size_t)1 << 31) + 5);
        show("lower_sizet", a, 64);
    }
    {
        int *a = filled<int>(64);
        upper_sizet<<<2, 32>>>(a, 9, 1000);
        show("upper_sizet", a, 64);
        upper_sizet<<<2, 32>>>(a, (size_t)1 << 33, 12);
        show("upper_sizet", a, 64);
        upper_sizet<<<2, 32>>>(a, ((size_t)1 << 31) + 5, 1ll << 40);
        show("upper_sizet", a, 64);
        upper_sizet<<<2, 32>>>(a, ((size_t)1 << 31) + 5, -3);
        show("upper_sizet", a, 64);
    }
    {
        int *a = filled<int>(64);
        mixed_limits<<<2, 32>>>(a, 50, 30, 20);
        show("mixed_limits", a, 64);
        mixed_limits<<<2, 32>>>(a, -1, 30, 40);
        show("mixed_limits", a, 64);
        mixed_limits<<<2, 32>>>(a, 10, 30, -4);
        show("mixed_limits", a, 64);
    }
    {
        int *a = filled<int>(64);
        ll_limits<<<2, 32>>>(a, 5, 40);
        show("ll_limits", a, 64);
        ll_limits<<<2, 32>>>(a, -5, 1ll << 40);
        show("ll_limits", a, 64);
        ll_limits<<<2, 32>>>(a, 1ll << 33, 1ll << 40);
        show("ll_limits", a, 64);
        ll_limits<<<2, 32>>>(a, -(1ll << 33), 17);
        show("ll_limits", a, 64);
    }
    {
        int *a = filled<int>(64);
        int_ll_lower<<<2, 32>>>(a, 5, 40);
        show("int_ll_lower", a, 64);
        int_ll_lower<<<2, 32>>>(a, -5, 1ll << 40);
        show("int_ll_lower", a, 64);
        int_ll_lower<<<2, 32>>>(a, 1ll << 33, 1ll << 40);
        show("int_ll_lower", a, 64);
        int_ll_lower<<<2, 32>>>(a, -(1ll << 33), 17);
        show("int_ll_lower", a, 64);
    }
    {
        int *a = filled<int>(128);
        halving_after<<<2, 32>>>(a);
        show("halving_after", a, 128);
    }
    {
        int *a = filled<int>(128);
        halving_neg<<<2, 32>>>(a);
        show("halving_neg", a, 128);
    }
    return 0;
}
