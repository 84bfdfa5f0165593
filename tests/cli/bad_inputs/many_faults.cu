// Every fault is reported, in order, whatever kernel it stands in.
__device__ cudaStream_t f();

__global__ void first(int *x)
{
    if (threadIdx.x < 16)
        __syncthreads();
    x[0] = 1;
}

__global__ void second(int *x)
{
    asm("bar.arrive 0, 64;");
}

__global__ void third(int *x)
{
    first<<<1, 32, 0, f()>>>(x);
}
