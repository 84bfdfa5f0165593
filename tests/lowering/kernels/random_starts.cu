// Seeds and sequence numbers are handed to generators by value: nothing changes them, guards become
// bounds, and no thread needs copies.

#include <curand_kernel.h>

__global__ void random_starts(float *level, curandState *states, int seed, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        curand_init(seed, i, 0, &states[i]);
        level[i] = curand_uniform(&states[i]);
    }
}
