// Shuffles in odd places: in conditions, arguments, nested, in loops of different length, with
// widths at run time.
#include <cstdio>

#define F 0xffffffffu
__device__ int twice(int a, int b) { return a * 2 + b; }
__device__ int ladder(int v, int n) {
    for (int d = 1; d < n; d <<= 1) {
        int u = __shfl_up_sync(F, v, d, n);
        if ((threadIdx.x & (n - 1)) >= d)
            v = twice(v, u);
    }
    return v;
}

__device__ bool any_above(const int *x, int limit) { return __any_sync(F, x[threadIdx.x] > limit); }
__global__ void a(int *x, int *o, int n, int w) {
    int t = threadIdx.x, lane = t % 32, v = x[t], k = 0;
    o[t] = twice(__shfl_down_sync(F, v, 1), __shfl_up_sync(F, v, 2)) +
           __shfl_sync(F, __shfl_xor_sync(F, v, 1), lane / 2);
    while (__any_sync(F, v > n)) {
        if (v > n)
            v -= 1 + (lane & 3);
        ++k;
        if (__popc(__ballot_sync(F, v > n)) < 3)
            break;
    }
    o[t] += k * 1000 + ladder(v, w) + ladder(v, 8);
    for (int i = 0; i < (v & 3) + 1; ++i) {
        o[t] += i * 7;
    }
    int s = v;
    for (int i = w / 2; i; i /= 2)
        s += __shfl_down_sync(F, s, i, w);
    o[t] += __shfl_sync(F, s, 0, w) +
            (any_above(x, 12) ? __shfl_sync(F, v, (lane + n) & 31) : __shfl_sync(F, v, lane * 5));
    long long big = (long long)v << 33 | lane;
    double d = v * 0.5;
    unsigned char c = v;
    big = __shfl_xor_sync(F, big, 3);
    d = __shfl_down_sync(F, d, 4);
    c = __shfl_up_sync(F, c, 1);
    o[t] += int(big >> 33) + int(big & 31) + int(d * 2) + c;
    if (lane < 16) {
        int h = __shfl_xor_sync(0xffff, v, 8);
        o[t] += h;
        if (lane < 4)
            o[t] += __shfl_sync(0xf, h, lane ^ 1);
    } else {
        int h = __shfl_down_sync(0xffff0000u, v, 2);
        o[t] -= h;
    }
    int r = lane & 1 ? v : -v;
    bool p = r > 0;
    unsigned b = __ballot_sync(F, p);
    int rank = __popc(b & ((1u << lane) - 1));
    o[t] += p ? rank : 100 + rank;
    switch (__shfl_sync(F, v, 0) & 3) {
    case 0:
        o[t] += __shfl_sync(F, t, 31);
        break;
    case 1:
        o[t] -= __shfl_xor_sync(F, t, 16);
        break;
    default:
        o[t] ^= __shfl_up_sync(F, t, 1);
    }
    for (int i = lane; __any_sync(F, i < n * 5); i += 32) {
        int q = i < n * 5 ? x[i] : 0;
        for (int m = 16; m; m >>= 1)
            q = max(q, __shfl_xor_sync(F, q, m));
        if (lane == 0)
            o[t] += q;
    }
    do {
        v = __shfl_sync(F, v, (lane + 1) & 31) - 1;
    } while (__all_sync(F, v > -40));
    o[t] += v;
}

__global__ void two(int *x, int *o) { // two dimensions, warps across rows
    int t = threadIdx.y * blockDim.x + threadIdx.x, v = x[t];
    for (int m = 1; m < 32; m *= 2)
        v += __shfl_xor_sync(F, v, m) * (threadIdx.x + 1);
    __shared__ int s[8];
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    o[t] = v + s[(t / 32 + 1) % (blockDim.x * blockDim.y / 32)];
}

int main() {
    int *x, *o;
    cudaMallocManaged(&x, 1024);
    cudaMallocManaged(&o, 1024);
    for (int i = 0; i < 256; ++i)
        x[i] = i * 13 % 29, o[i] = 0;
    for (int w = 4; w <= 32; w *= 2) {
        a<<<1, 64>>>(x, o, 5, w);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i)
            printf("%d ", o[i]);
        printf("\n");
    }
    two<<<1, dim3(12, 8)>>>(x, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; ++i)
        printf("%d ", o[i]);
    printf("\n");
}
