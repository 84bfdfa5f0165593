// Variables that only some threads assign: behind && and ?:, and where goto leads.
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

__global__ void sc_assign(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, k = 0, m = 1;
    t > 3 && (k = 5);
    s[t] = in[t] + k;
    __syncthreads();
    (t & 1) ? m++ : 0;
    out[blockIdx.x * 32 + t] = s[31 - t] + k * 100 + m * 1000;
}

__device__ bool setit(int &k, int v) {
    k = v;
    return true;
}
__global__ void sc_assign2(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, k = 0, m = 1, q = 2;
    bool b = t > 3 || setit(k, 7);
    int w = in[t] > 4 ? (m = 9) : 3;
    s[t] = in[t] + k + w + b;
    __syncthreads();
    if (in[t] < 2 && ++q)
        s[t] += m;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t] + k * 100 + m * 1000 + q * 10000;
}

__global__ void goto_loop(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, k = 0, acc = 0;
again:
    acc += in[k];
    k++;
    if (k < t)
        goto again;
    s[t] = acc;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t] + k * 100;
}

__global__ void goto_skip(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x, k = 0, m = 1;
    s[t] = in[t];
    if (in[t] > 4)
        goto skip;
    k = 3;
    m += 2;
skip:
    s[t] += k;
    __syncthreads();
    out[blockIdx.x * 32 + t] = s[31 - t] + k * 100 + m * 1000;
}

int main() {
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        sc_assign<<<2, 32>>>(a, b);
        show("sc_assign", a, 64);
    }
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        sc_assign2<<<2, 32>>>(a, b);
        show("sc_assign2", a, 64);
    }
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        goto_loop<<<2, 32>>>(a, b);
        show("goto_loop", a, 64);
    }
    {
        int *a = filled<int>(64);
        int *b = filled<int>(64);
        goto_skip<<<2, 32>>>(a, b);
        show("goto_skip", a, 64);
    }
    return 0;
}
