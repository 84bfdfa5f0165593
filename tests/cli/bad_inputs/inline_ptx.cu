__device__ unsigned lane()
{
    unsigned id;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__global__ void lanes(unsigned *out)
{
    out[threadIdx.x] = lane();
    asm("membar.gl;");
}
