// Every fault is reported, in order, whatever kernel it stands in.
__global__ void first(int *x)
{
    if (threadIdx.x < 16)
        __syncthreads();
    asm("membar.gl;");
}

__global__ void second(int *x)
{
    first<<<1, 1>>>(x);
}
