// out: 3 10 3 10 11 26 11 26
// What a device's branch does as a thread, no host's branch can take the place of.
#ifdef __CUDA_ARCH__
#define ON_DEVICE
#endif
#define BOTH __host__ __device__
#ifdef __CUDA_ARCH__
#define ADD(place, value) atomicAdd(place, value)
#else
#define ADD(place, value) *(place) += value
#endif

BOTH void add(int *place, int value)
{
#ifdef __CUDA_ARCH__
    atomicAdd(place, value);
#else
    *place += value;
#endif
}

BOTH void wait()
{
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
}

BOTH int own()
{
#ifdef ON_DEVICE
    return threadIdx.x;
#else
    return 100;
#endif
}

BOTH int half_of(int v)
{
#ifdef __CUDA_ARCH__
    return __mul24(v, 1) / 2; // a host may well do it otherwise
#else
    return v / 2;
#endif
}

__global__ void k(int *out, int n)
{
    __shared__ int s[4], sums[2];
    s[own()] = blockIdx.x * 4 + own();
    if (threadIdx.x < 2)
        sums[threadIdx.x] = 2 * half_of(4);
    wait();
    if (own() < 2)
        add(&sums[0], s[3 - threadIdx.x] - 3);
    else
        ADD(&sums[1], s[own()] + s[3 - own()]);
    wait();
    out[blockIdx.x * 4 + own()] = sums[own() % 2];
}
