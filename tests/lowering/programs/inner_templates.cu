// Class templates inside of classes whose methods become part of kernels.
#include <cstdio>
template <int N> class Window {
  public:
    template <bool CHECKED> struct Column {
        int offset;
        __device__ void init(int x, int n) { offset = CHECKED && x >= n ? 0 : x; }
    };
    template <bool CHECKED> __device__ void run(const int *in, int *out, int n) {
        Column<CHECKED> column;
        init(column, threadIdx.x, n);
        buffer[threadIdx.x] = in[column.offset];
        __syncthreads();
        out[threadIdx.x] = buffer[N - 1 - threadIdx.x] + column.offset;
    }
    template <bool CHECKED> __device__ void init(Column<CHECKED> &column, int x, int n) {
        buffer[x] = 0;
        __syncthreads();
        column.init(x, n);
    }
    int buffer[N];
};
struct Plain {
    template <class T> struct Pair { T a, b; };
    int s[32];
    __device__ void go(int *out) {
        Pair<int> p;
        p.a = threadIdx.x; p.b = 2;
        s[threadIdx.x] = p.a;
        __syncthreads();
        out[threadIdx.x] += s[31 - threadIdx.x] * p.b + p.a;
    }
};
template <int N> __global__ void k(const int *in, int *out, int n) {
    __shared__ Window<N> w;
    if (n > 20) w.template run<true>(in, out, n); else w.template run<false>(in, out, n);
}
__global__ void p(int *out) { __shared__ Plain s; s.go(out); }
int main() {
    int *a, *b; cudaMallocManaged(&a, 256); cudaMallocManaged(&b, 256);
    for (int i = 0; i < 64; i++) a[i] = i * i % 17;
    k<32><<<1, 32>>>(a, b, 25); p<<<1, 32>>>(b); cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) printf("%d ", b[i]);
    printf("\n");
}
