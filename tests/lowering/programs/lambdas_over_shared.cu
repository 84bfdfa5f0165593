// Lambdas copy no shared memory, whatever else of the kernel stays as it is written
#include <cstdio>

__global__ void read_later(int *out)
{
    __shared__ int pool[8];
    const int t = threadIdx.x;
    auto f = [=](int b) { return b + pool[(t + 1) % 8]; };
    pool[t] = 10 * t;
    __syncthreads();
    int h = 0;
    h += f(1);
    out[t] = h;
}

template <int K> __global__ void never_stored(int *out)
{
    extern __shared__ int pool[];
    const unsigned t = threadIdx.x;
    int h = out[t];
    auto f = [=](int b) { return int(b) ^ pool[1u % 15u]; };
    h += static_cast<int>(f(K));
}

template <int K> __global__ void nothing_else(int *out)
{
    __shared__ int fixed[K];
    if (threadIdx.x < K)
        fixed[threadIdx.x] = threadIdx.x;
    __syncthreads();
    auto f = [=](int b) { return b + fixed[(b + 1) % K]; };
    int h = 0;
    h += f(2);
    atomicAdd(out, h);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i)
        out[i] = i;
    read_later<<<1, 8>>>(out);
    never_stored<3><<<1, 16, 16 * sizeof(int)>>>(out);
    nothing_else<5><<<2, 20>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 20; ++i)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}
