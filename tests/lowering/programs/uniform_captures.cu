// Lambdas that see a variable and do not change it leave it the same for all threads.
#include <cstdio>

struct Pair {
    unsigned first, second;
};

__global__ void only_read(unsigned *out, unsigned m, unsigned n)
{
    __shared__ unsigned s[8];
    unsigned t = threadIdx.x, h = out[t];
    auto mixed = [&](unsigned x) {
        unsigned a = m, list[2] = {m, n};
        Pair pair = {n, x};
        float4 lanes = {m + 1.0f, 2.0f, 3.0f, 4.0f};
        h ^= list[x & 1] + pair.first + unsigned(lanes.x);
        if (a > x)
            return n;
        return m;
    };
    auto twice = [&](unsigned x) { return mixed(x) * 2 + mixed(m); };
    switch (m % 3) {
    case 0:
        s[t] = twice(t);
        __syncthreads();
        h += s[7 - t];
        __syncthreads();
        [[fallthrough]];
    case 1:
        s[t] = h;
        __syncthreads();
        h += s[t ^ 1] + n;
    }
    unsigned last = twice(3);
    out[t] = h + last;
}

// What they change by a reference is each thread's own.
__global__ void changed(unsigned *out, unsigned m, unsigned n)
{
    __shared__ unsigned s[8];
    unsigned t = threadIdx.x, own = m, other = n, third = n;
    auto by_reference = [&](unsigned x) {
        unsigned &same = own;
        same += x;
        return m;
    };
    auto handed_out = [&]() -> unsigned & { return other; };
    auto by_pointer = [&](unsigned x) {
        unsigned *p = &third;
        *p ^= x;
    };
    s[t] = by_reference(t);
    handed_out() += t * 2;
    by_pointer(t * 3);
    __syncthreads();
    out[t] += s[7 - t] + own * 100 + other * 10 + third;
}

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, 8 * sizeof(unsigned));
    for (unsigned m = 0; m < 3; ++m) {
        for (int i = 0; i < 8; ++i)
            out[i] = i;
        only_read<<<1, 8>>>(out, m, 5);
        changed<<<1, 8>>>(out, m, 7);
        cudaDeviceSynchronize();
        for (int i = 0; i < 8; ++i)
            printf(" %u", out[i]);
    }
    printf("\n");
    cudaFree(out);
    return 0;
}
