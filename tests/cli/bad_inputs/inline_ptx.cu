__device__ unsigned sum_with_carry(unsigned a, unsigned b)
{
    unsigned sum;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__global__ void lanes(unsigned *out)
{
    out[threadIdx.x] = sum_with_carry(out[threadIdx.x], 1);
    asm("bar.arrive 0, 64;");
}
