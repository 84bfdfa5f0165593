// Each lane gets the sum over its warp.
__global__ void shares(const float *x, float *y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float sum = x[i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    y[i] = x[i] / sum;
}

// The order of operands counts: each lane has a result of its own.
__global__ void differences(const float *x, float *y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float value = x[i];
    for (int offset = 16; offset > 0; offset /= 2)
        value -= __shfl_xor_sync(0xffffffffu, value, offset);
    y[i] = value;
}

// Each half of a warp has its own sum.
__global__ void halves(const float *x, float *y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float sum = x[i];
    for (int offset = 8; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    y[i] = sum;
}

void run(const float *x, float *y)
{
    shares<<<4, 64>>>(x, y);
    differences<<<4, 64>>>(x, y);
    halves<<<4, 64>>>(x, y);
}
