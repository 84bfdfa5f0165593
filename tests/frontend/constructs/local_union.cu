// out: 3 3 3 3 3 3 3 3
__device__ float as_float(unsigned b) { union { float f; unsigned i; } u; u.i = b; return u.f; }
__global__ void k(int *out, int n)
{
    union { float f; int i; } bits;
    bits.f = 1.0f;
    __syncthreads();
    out[blockIdx.x * 4 + threadIdx.x] = (bits.i == 0x3f800000) + int(as_float(0x40000000));
}
