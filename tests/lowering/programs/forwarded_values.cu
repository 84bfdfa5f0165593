// A value that goes straight to where it is read has the type that it was stored as.
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

__global__ void fwd_sign(unsigned *out, const int *in) {
    __shared__ unsigned s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    s[t] = s[t] / 2;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t];
}

__global__ void fwd_float(float *out, const double *in, const int *k) {
    __shared__ float s[32];
    __shared__ int q[32];
    int t = threadIdx.x;
    s[t] = in[t] / 3;
    q[t] = k[t] * 0.7f;
    __syncthreads();
    s[t] = s[t] * 3 - in[t];
    q[t] = q[t] * 10;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t] + q[31 - t];
}

__global__ void fwd_cmp(int *out, const unsigned *in, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t] - 5u;
    __syncthreads();
    s[t] = s[t] < n ? s[t] >> 1 : s[t] % 3;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t];
}

__global__ void own_char(int *out, const int *in) {
    __shared__ unsigned char s[32];
    __shared__ short h[32];
    int t = threadIdx.x;
    s[t] = in[t] * 50;
    h[t] = in[t] * 9000;
    __syncthreads();
    s[t] += 100;
    h[t] <<= 1;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[t] + h[t];
}

__global__ void bcast_types(int *out, const int *in, float f) {
    __shared__ unsigned char u;
    __shared__ int w;
    __shared__ bool bb;
    int t = threadIdx.x;
    if (t == 0) {
        u = in[blockIdx.x] - 5;
    }
    if (t == 0)
        w = f * 2.7f;
    if (t == 0)
        bb = in[3] * 4;
    __syncthreads();
    out[blockIdx.x * 32 + t] = u * 2 + w + bb;
}

int main() {
    {
        unsigned *a = filled<unsigned>(64);
        int *b = filled<int>(64);
        fwd_sign<<<2, 32>>>(a, b);
        show("fwd_sign", a, 64);
    }
    {
        float *a = filled<float>(64);
        double *b = filled<double>(64);
        int *k = filled<int>(32);
        fwd_float<<<2, 32>>>(a, b, k);
        show("fwd_float", a, 64);
    }
    {
        int *a = filled<int>(64);
        unsigned *b = filled<unsigned>(64);
        fwd_cmp<<<2, 32>>>(a, b, 2);
        show("fwd_cmp", a, 64);
    }
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        own_char<<<2, 32>>>(a, b);
        show("own_char", a, 64);
    }
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        bcast_types<<<2, 32>>>(a, b, 1.9f);
        show("bcast_types", a, 64);
    }
    return 0;
}
