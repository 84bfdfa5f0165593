// Reductions by shuffles that the source has unrolled, or that count with unsigned numbers.
__global__ void unrolled(const float *in, float *out)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    if (threadIdx.x % 32 == 0)
        out[blockIdx.x * 4 + threadIdx.x / 32] = v;
}

__global__ void unsigned_steps(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (unsigned int o = 16; o >= 1; o /= 2)
        v = max(v, __shfl_xor_sync(0xffffffffu, v, o));
    out[threadIdx.x] = in[threadIdx.x] - v;
}

void launch(const float *in, float *out, const int *numbers, int *largest)
{
    unrolled<<<4, 128>>>(in, out);
    unsigned_steps<<<1, 128>>>(numbers, largest);
}
