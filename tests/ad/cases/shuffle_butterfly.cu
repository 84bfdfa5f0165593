// Every lane gets the sum, then every lane divides by it: __shfl_xor_sync and __shfl_sync.
// g2o-verify: shuffle_butterfly<<<2, 32>>>(x = [64], y = [64])
__global__ void shuffle_butterfly(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i], sum = value;
    for (int mask = 16; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    float first = __shfl_sync(0xffffffffu, value, 0);
    y[i] = value / sum * first;
}
