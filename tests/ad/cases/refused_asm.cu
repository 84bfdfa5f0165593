// Inline assembly that reads active memory by its address.
__global__ void roots(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r;
        asm("ld.global.f32 %0, [%1];" : "=f"(r) : "l"(x + i)); // refused: another type
        y[i] = sqrtf(r);
    }
}
