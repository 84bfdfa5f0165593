// Arithmetic in inline assembly is arithmetic.
// g2o-verify: bent<<<2, 32>>>(n = 50, x = [n], y = [n])
// g2o-verify: loaded<<<2, 32>>>(n = 50, x = [n], y = [n])
__global__ void bent(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a, b, r;
        asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(a) : "f"(x[i]), "f"(1.5f));
        asm("{ .reg .f32 t; mul.f32 t, %1, %2; add.f32 %0, t, %1; }" : "=f"(b) : "f"(a), "f"(x[i]));
        asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(b * b + a));
        y[i] = r;
    }
}

// A load by address.
__global__ void loaded(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r;
        asm("ld.global.f32 %0, [%1];" : "=f"(r) : "l"(x + i));
        y[i] = sqrtf(r);
    }
}
