// Minima and maxima whose winner, or what it put there, would be lost.
__global__ void product(const float *x, float *y)
{
    int *bits = (int *)y;
    int old = *bits, assumed;
    float value = x[threadIdx.x];
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value * __int_as_float(assumed))); // refused: atomicCAS
    } while (assumed != old);
}

__device__ float most(float *address, float value)
{
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed)))); // refused: whose result is used
    } while (assumed != old);
    return __int_as_float(old);
}

__global__ void told(const float *x, float *y, float *z)
{
    z[threadIdx.x] = most(y, x[threadIdx.x]);
}

__global__ void restarted(const float *x, float *y)
{
    if (threadIdx.x == 0)
        y[0] = -1.0f; // refused: in another way
    __syncthreads();
    atomicMax((int *)y, __float_as_int(x[threadIdx.x]));
}

__global__ void clamped(const float *x, float *y, int k)
{
    atomicMax((int *)&y[0], __float_as_int(x[threadIdx.x]));
    __syncthreads();
    atomicMin((int *)&y[k], __float_as_int(x[threadIdx.x])); // refused: minima and maxima
}

__global__ void without_barrier(const float *x, float *y)
{
    __shared__ float best;
    best = 0.0f;
    __syncthreads();
    atomicMax((int *)&best, __float_as_int(x[threadIdx.x])); // refused: no barrier
    y[threadIdx.x] = best;
}

__global__ void added_between(const float *x, float *y)
{
    __shared__ float best[2];
    best[threadIdx.x % 2] = 0.0f;
    __syncthreads();
    atomicMax((int *)&best[0], __float_as_int(x[threadIdx.x]));
    atomicAdd(&best[1], x[threadIdx.x]); // refused: in another way
    __syncthreads();
    y[threadIdx.x] = best[0] * best[1];
}
