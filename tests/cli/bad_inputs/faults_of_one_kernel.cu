// All faults of a kernel are reported, and those of functions that no kernel calls.
__device__ cudaStream_t f();

__device__ int unused(int x)
{
    asm("bar.arrive 0, 64;");
    asm("bar.arrive 1, 64;");
    return x;
}

__global__ void assembly(int *x)
{
    asm("bar.arrive 0, 64;");
    if (x[0] > 0) {
        asm("bar.arrive 1, 64;");
        assembly<<<1, 1, 0, f()>>>(x);
    }
    x[threadIdx.x] = 1;
}

__global__ void barriers(int *x)
{
    __shared__ int s[32];
    s[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x < 16) {
        s[threadIdx.x] += s[threadIdx.x + 16];
        __syncthreads();
        s[threadIdx.x] += s[threadIdx.x + 8];
    }
    while (x[threadIdx.x] > 0) {
        s[threadIdx.x] += s[31 - threadIdx.x];
        __syncthreads();
        x[threadIdx.x] -= s[(threadIdx.x + 1) % 32];
    }
    x[threadIdx.x] = s[threadIdx.x];
}
