// Objects with members that are references, kept over barriers: made again in each interval.

#include <cstdio>

struct Links {
    unsigned &r;
    unsigned *p;
};

struct Pair {
    Links one;
    float scale;
};

__global__ void linked(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    Links held{x, &x};
    held.r += 3u;
    s[t] = held.r;
    __syncthreads();
    ((n > 3) ? held.r : x) ^= s[(t + 1) % 32];
    *held.p += 2u;
    __syncthreads();
    const Links other = {*held.p, &held.r};
    s[t] = other.r;
    __syncthreads();
    other.r += s[(t + 5) % 32];
    out[t] = held.r + *other.p + x;
}

__global__ void to_shared(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned s[2][32];
    unsigned t = threadIdx.x;
    Links mine = {s[0][t], s[1]};
    mine.r = in[t];
    for (int k = 0; k < n; ++k) {
        mine.p[t] = k * t;
        __syncthreads();
        mine.r += mine.p[(t + 3) % 32];
        __syncthreads();
    }
    out[t] += mine.r;
}

__global__ void within(unsigned *out, const unsigned *in)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    unsigned x = in[t], y = t;
    const Pair both = {{x, &y}, 0.5f};
    s[t] = both.one.r;
    __syncthreads();
    both.one.r += s[31 - t];
    *both.one.p += unsigned(both.scale * s[(t + 1) % 32]);
    __syncthreads();
    out[t] += x * 5 + y + both.one.r;
}

int main()
{
    unsigned *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(unsigned));
    cudaMallocManaged(&out, 32 * sizeof(unsigned));
    for (int i = 0; i < 32; ++i)
        in[i] = i * 7 % 13;
    linked<<<1, 32>>>(out, in, 5);
    to_shared<<<1, 32>>>(out, in, 3);
    within<<<1, 32>>>(out, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%u\n", out[i]);
}
