// Shifts by the width of the value shift everything out, as a GPU does it.
#include <cstdio>

__device__ unsigned upper(unsigned word, unsigned bit) { return word << (32 - bit); }

__device__ inline unsigned rotated(unsigned x, int n) { return (x << n) | (x >> (32 - n)); }

template <typename T> __device__ T mask(int n) {
    int bits = n > 32 ? 32 : n;
    return (T(1) << bits) - 1;
}

__global__ void pack(const unsigned *words, unsigned *out, int *lefts, long long *wide) {
    int t = threadIdx.x;
    unsigned bit = t % 32;
    unsigned dw = words[t];
    unsigned low = dw >> bit;
    out[t] = low ^ (dw << 32 - bit) ^ upper(dw, bit) ^ rotated(dw, t % 31 + 1);
    lefts[t] = -5 >> (32 - bit);
    unsigned long long both = (unsigned long long)dw << 32 | dw;
    both <<= 64 - bit;
    wide[t] = both ^ mask<unsigned>(t) ^ ((1u << min(t, 32)) - 1);
    __syncthreads();
    out[t] += out[63 - t] >> (32 - (bit & 1));
}

int main() {
    unsigned words[64], out[64], *d_words, *d_out;
    int lefts[64], *d_lefts;
    long long wide[64], *d_wide;
    for (int i = 0; i < 64; ++i)
        words[i] = 2654435761u * (i + 1);
    cudaMalloc(&d_words, sizeof words);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_lefts, sizeof lefts);
    cudaMalloc(&d_wide, sizeof wide);
    cudaMemcpy(d_words, words, sizeof words, cudaMemcpyHostToDevice);
    pack<<<1, 64>>>(d_words, d_out, d_lefts, d_wide);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(lefts, d_lefts, sizeof lefts, cudaMemcpyDeviceToHost);
    cudaMemcpy(wide, d_wide, sizeof wide, cudaMemcpyDeviceToHost);
    printf("bit 0: %d %d %d\n", wide[0] == 0, lefts[0] == -1, lefts[32] == -1);
    printf("mask: %d\n", wide[32] == 0);
    for (int i = 0; i < 64; ++i)
        printf("%u %d %lld\n", out[i], lefts[i], wide[i]);
}
