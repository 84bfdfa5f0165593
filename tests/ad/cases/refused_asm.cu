// Inline assembly with an active operand.
__global__ void roots(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r;
        asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x[i])); // refused: assembly
        y[i] = r;
    }
}
