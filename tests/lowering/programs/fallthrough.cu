// A case that falls through, in front of one with a barrier: `[[fallthrough]]` may not stay in an if.
#include <cstdio>
__global__ void k(unsigned *out, unsigned m) {
    __shared__ unsigned s[8];
    unsigned t = threadIdx.x;
    unsigned h = out[t];
    s[t] = t;
    __syncthreads();
    switch (m % 3u) {
    case 0u: {
        h += s[(t + 1) % 8];
        [[fallthrough]];
    }
    case 1u: {
        h ^= 5u;
        __syncthreads();
        s[t] = h;
        __syncthreads();
        h += s[7 - t];
        break;
    }
    default: h += 2u;
    }
    out[t] = h + s[t];
}
int main() {
    unsigned *out;
    cudaMallocManaged(&out, 32);
    for (unsigned m = 0; m < 3; ++m) {
        for (int i = 0; i < 8; ++i) out[i] = i;
        k<<<1, 8>>>(out, m);
        cudaDeviceSynchronize();
        for (int i = 0; i < 8; ++i) printf(" %u", out[i]);
    }
    printf("\n");
}
