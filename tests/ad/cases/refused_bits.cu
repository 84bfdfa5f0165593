// The bits of an active value: no rule for what happens to them.
__device__ float inverse_root(float x)
{
    int bits = 0x5f3759df - (__float_as_int(x) >> 1); // refused: __float_as_int
    float y = __int_as_float(bits);
    return y * (1.5f - 0.5f * x * y * y);
}

__global__ void inverse_roots(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = inverse_root(x[i]);
}

// Bits that are counted with: an approximation of the logarithm.
__global__ void logarithms(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        union {
            float number;
            unsigned bits;
        } v;
        v.number = x[i];
        float whole = v.bits; // refused: integer
        y[i] = whole * 1.1920928955078125e-7f - 126.94269504f;
    }
}

__global__ void logarithms_of_bits(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bits = __float_as_int(x[i]); // refused: __float_as_int
        y[i] = (float)bits * 1.1920928955078125e-7f - 126.94269504f;
    }
}
