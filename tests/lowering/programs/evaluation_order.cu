// Calls that are inlined, behind what comes before them, with arguments of other types.
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

__device__ int addt(int k) {
    int r = k;
    if (threadIdx.x > 3)
        r += threadIdx.x;
    return r;
}
__global__ void comma_call(int *out) {
    int t = threadIdx.x, k = 1;
    int v = (k = 5, addt(k));
    k = 2;
    v += (k++, addt(k)) * 10;
    k = 3;
    v += (k = 4, (k *= 2, addt(k)));
    if ((k = 7, addt(k) > 9))
        v += 100;
    out[blockIdx.x * 16 + t] = v + k;
}

__device__ int al(int a, int &b) {
    b = 50 + threadIdx.x;
    return a * 2 + b;
}
__device__ int al2(int v, int *s) {
    s[threadIdx.x] = -1;
    __syncthreads();
    return v + s[0];
}
__device__ int al3(const int &v, int *s) {
    s[threadIdx.x] = -1;
    __syncthreads();
    return v + s[0];
}
__device__ void swp(int &a, int &b) {
    int c = a;
    a = b + threadIdx.x * 0;
    b = c;
}
__global__ void arg_alias(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, x = in[t], y = 3;
    int r = al(x, x);
    swp(x, y);
    swp(x, x);
    s[t] = t;
    __syncthreads();
    r += al2(s[t], s) * 10;
    __syncthreads();
    s[t] = t;
    __syncthreads();
    r += al3(s[t], s) * 100;
    __syncthreads();
    out[blockIdx.x * 32 + t] = r + x * 7 + y;
}

__device__ int c1(short v) { return v + threadIdx.x; }
__device__ int c2(unsigned char v) { return v * 2 + threadIdx.x; }
__device__ float c3(float v) { return v * 3 + threadIdx.x; }
__device__ int c4(bool b) { return b + threadIdx.x; }
__device__ unsigned char c5(int v) { return v + threadIdx.x; }
__device__ int c6(unsigned v) { return v / 2 > threadIdx.x; }
__device__ long long c7(long long v) { return (v << 20) * (threadIdx.x + 1) >> 18; }
__device__ double c8(int v) { return v / 2 + threadIdx.x; }
__device__ short c9(int v) {
    int w = v;
    w *= 5;
    if (w > 3)
        w += threadIdx.x;
    return w;
}
__device__ float c10(int v) {
    float f = v;
    f += threadIdx.x;
    return f;
}
__global__ void arg_conv(double *out, const int *in) {
    int t = threadIdx.x, x = in[t] * 20000;
    double d = in[t] * 1.0 / 3;
    double r = c1(x) + c2(x) * 3 + c3(d) + c4(x) + c5(x) * 7.0 + c6(in[t]) * 11 + c7(x) +
               c8(d * 3.7) + c9(x) + (int)c10(d * 10) / 4;
    int q = c10(3.9f) / 2;
    auto z = c5(300);
    r += q + z + sizeof(z);
    out[blockIdx.x * 32 + t] = r;
}

__device__ int ps(int i, int n) {
    int t = i * 2;
    for (int i = 0; i < n; ++i)
        t += i + threadIdx.x;
    {
        int n = t;
        t = n + 1;
    }
    return t;
}
__global__ void param_shadow(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = 3;
    if (i < n) {
        int n = ps(i, t), k = ps(n % 5, 2);
        out[i] = n + k + ps(t, t) + t;
    }
}

int main() {
    {
        int *a = filled<int>(32);
        comma_call<<<2, 16>>>(a);
        show("comma_call", a, 32);
    }
    {
        int *a = filled<int>(64), *b = filled<int>(64);
        arg_alias<<<2, 32>>>(a, b);
        show("arg_alias", a, 64);
    }
    {
        double *a = filled<double>(64);
        int *b = filled<int>(64);
        arg_conv<<<2, 32>>>(a, b);
        show("arg_conv", a, 64);
    }
    {
        int *a = filled<int>(64);
        param_shadow<<<2, 32>>>(a, 60);
        show("param_shadow", a, 64);
    }
    return 0;
}
