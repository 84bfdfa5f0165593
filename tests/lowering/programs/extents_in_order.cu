// Arrays that share a declaration keep the order of their extents, those that their types have too.
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

typedef float ExRow[4];
template <int T> __global__ void ex_t(const float *x, float *o) {
    __shared__ float a[2][T][T + 1], b[T][2];
    int t = threadIdx.x;
    for (int k = 0; k < T; ++k) {
        a[0][k][t] = x[k * T + t];
        a[1][t][k] = x[t] + k;
    }
    b[t][0] = x[t];
    b[t][1] = 2 * t;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < T; ++k)
        s += a[0][t][k] * (k + 1) + a[1][k][t] * b[k][1] - b[k][0] * k;
    o[t] = s;
}
__global__ void ex_r(const float *x, float *o) {
    __shared__ float wide[3][17], rows[2][5][16];
    __shared__ ExRow quads[16], pairs[2][16];
    ExRow own, all[3];
    int t = threadIdx.x;
    for (int k = 0; k < 4; ++k) {
        own[k] = x[t] * k;
        all[k % 3][k] = own[k] + 1;
        quads[t][k] = own[k];
        pairs[k & 1][t][k] = own[k] - 1;
    }
    wide[t % 3][t] = x[t];
    for (int k = 0; k < 5; ++k)
        rows[t & 1][k][t] = k * t;
    __syncthreads();
    int u = 15 - t;
    o[t] = quads[u][3] + pairs[1][u][3] + pairs[0][u][2] + wide[u % 3][u] + rows[u & 1][4][u] +
           own[2] + all[1][1];
}

int main() {
    {
        float *x = filled<float>(64), *o = filled<float>(16);
        ex_t<8><<<1, 8>>>(x, o);
        show("extents", o, 8);
        ex_r<<<1, 16>>>(x, o);
        show("extents", o, 16);
    }
    return 0;
}
