// Inline PTX of simple kinds: arithmetic, bit fields, special registers, several instructions.
#include <cstdio>

__device__ __forceinline__ unsigned lane_id() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__device__ unsigned field(unsigned x, unsigned begin, unsigned length) {
    unsigned result;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(begin), "r"(length));
    return result;
}

__device__ unsigned square_plus(unsigned x) {
    unsigned result;
    asm("{\n\t"
        ".reg .u32 square;\n\t"
        "mul.lo.u32 square, %1, %1;\n\t"
        "add.u32 %0, square, %1;\n\t"
        "}"
        : "=r"(result)
        : "r"(x));
    return result;
}

__device__ float root(float x) {
    float result;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

// A pointer that nobody changes is kept over barriers that some threads leave before.
__global__ void kept(const unsigned *x, float *y, int n) {
    __shared__ unsigned s[64];
    if (threadIdx.x < n) {
        unsigned c = x[threadIdx.x] % n;
        if (c == 1)
            return;
        const unsigned *const __restrict__ from = x + c;
        float total = 0;
        for (int j = 0; j < 3; ++j) {
            s[threadIdx.x] = c + j;
            __syncwarp();
            total += from[0] % 7 + root(s[threadIdx.x] + 1.0f);
            if (__any_sync(__activemask(), total > 8))
                total -= from[0] % 3;
        }
        y[threadIdx.x] = total;
    }
}

__global__ void compute(const unsigned *x, unsigned *y, float *z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = x[i], sum, logic, inserted, low, high;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(v), "r"(3u), "r"(7u));
    asm("lop3.b32 %0, %1, %2, %3, 0x6A;" : "=r"(logic) : "r"(v), "r"(0xf0fu), "r"(0x333u));
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(inserted) : "r"(v), "r"(0xffffu));
    unsigned long long wide;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(v), "r"(0x10001u));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(wide));
    asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(lane_id()));
    int shifted;
    asm("shr.s32 %0, %1, %2;" : "=r"(shifted) : "r"((int)v), "r"(33));
    float f;
    asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f) : "f"(z[i]), "f"(2.0f));
    asm volatile("membar.gl;" ::: "memory");
    const unsigned *address = x + i;
    unsigned loaded;
    asm("ld.global.nc.u32 %0, [%1];" : "=r"(loaded) : "l"(address));
    y[i] = sum ^ logic ^ inserted ^ low ^ high ^ (unsigned)shifted ^ loaded;
    y[i] += field(v, 3, 5) + square_plus(v);
    z[i] = f;
}

int main() {
    const int n = 128;
    unsigned *x, *y;
    float *z;
    cudaMallocManaged(&x, n * sizeof(unsigned));
    cudaMallocManaged(&y, n * sizeof(unsigned));
    cudaMallocManaged(&z, n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = i * 2654435761u;
        z[i] = i * 0.5f;
    }
    compute<<<2, 64>>>(x, y, z);
    kept<<<1, 64>>>(x, z, 40);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%u %g\n", y[i], z[i]);
    return 0;
}
