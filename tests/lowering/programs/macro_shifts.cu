// A shift by the width in what a macro expands to: the rest of it goes along.
#include <cstdio>
#define BFE(r, a, p, l) \
    r = (l) == 0 ? 0 : (int)((long long)((unsigned long long)(a) >> (p) << (64 - (l))) >> (64 - (l)))
#define BOTH(r, a, l) r = (a) >> (32 - (l)); r += (a) << (32 - (l));
#define SAFE(r, a, l) do { unsigned t = (a) >> (32 - (l)); r = t; } while (0)
#define VAR(r, a, l) unsigned r = (a) >> (32 - (l))
#define HI(a, l) ((a) >> (32 - (l)))
__device__ int signed_field(int a, unsigned p, unsigned l) {
    int r;
    BFE(r, a, p, l);
    return r;
}

__device__ int both(unsigned a, unsigned l) {
    unsigned r;
    BOTH(r, a, l)
    return r;
}

__device__ int safe(unsigned a, unsigned l) {
    unsigned r;
    SAFE(r, a, l);
    return r;
}

__device__ int declared(unsigned a, unsigned l) {
    VAR(r, a, l);
    return r;
}

__device__ int high(unsigned a, unsigned l) { return HI(a, l) * 3 + HI(l, a & 31); }

__global__ void k(int *o, unsigned p, unsigned q) {
    int r;
    BFE(r, o[0], p, q);
    o[0] = signed_field(o[0], p, q) + 3 * r;
    o[1] = both(p, q);
    o[2] = safe(p, q);
    o[3] = declared(p, q);
    o[4] = high(p, q) + 5 * HI(p, q);
}

int main() {
    int *x;
    cudaMallocManaged(&x, 5 * sizeof(int));
    for (int q = 0; q < 3; ++q) {
        x[0] = 0x00f50000;
        k<<<1, 1>>>(x, 16, q);
        cudaDeviceSynchronize();
        for (int i = 0; i < 5; ++i)
            printf("%d\n", x[i]);
    }
    cudaFree(x);
}
