// Lanes come to a switch at different times and use shared memory in it, by atomics and without.
#include <cstdio>

enum Kind { Plain, Atomic, Loop };

template <Kind K>
__global__ void update(unsigned long long *out, int n, int turns)
{
    extern __shared__ unsigned long long table[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        table[i] = i;
    __syncthreads();
    unsigned start = threadIdx.x * turns % 7, end = start + threadIdx.x % turns;
    unsigned long long key = threadIdx.x;
    for (unsigned i = start; i < end; ++i) {
        key = (key * 5 + 1) % 1024;
        unsigned long long *address = &table[key % n], old, assumed;
        switch (K) {
        case Plain:
            old = *address;
            __threadfence_block();
            if (old == 1000000)
                *address = n + 1;
            break;
        case Atomic:
            atomicAdd(address, key);
            break;
        case Loop:
            old = *address;
            do {
                assumed = old;
                old = atomicCAS(address, assumed, assumed ^ key);
            } while (assumed != old);
            break;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = table[i];
}

template <Kind K> void run(unsigned long long *out, int n)
{
    update<K><<<1, 64, n * sizeof(unsigned long long)>>>(out, n, 9);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf(" %llu", out[i]);
    printf("\n");
}

int main()
{
    unsigned long long *out;
    cudaMallocManaged(&out, 100 * sizeof(*out));
    run<Plain>(out, 100);
    run<Atomic>(out, 100);
    run<Loop>(out, 37);
    return 0;
}
