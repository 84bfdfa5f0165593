// Inline assembly that reads the bits of active memory by its address.
__global__ void roots(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned bits;
        asm("ld.global.u32 %0, [%1];" : "=r"(bits) : "l"(x + i)); // refused: the bits of values
        y[i] = sqrtf(__uint_as_float(bits));
    }
}
