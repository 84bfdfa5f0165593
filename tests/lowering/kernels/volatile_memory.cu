// What others may watch is written in order: no vector loop.
__global__ void shown(volatile int *seen, int *out)
{
    int t = threadIdx.x;
    seen[t] = t;
    __syncthreads();
    out[t] = seen[t ^ 1];
}

// A pointer that is formed again leads to what is as volatile as what it was formed of.
__global__ void formed_again(const float *x, float *y, int n)
{
    extern __shared__ float s[];
    volatile float *first = s;
    volatile float *second = first + n;
    first[threadIdx.x] = x[threadIdx.x];
    second[threadIdx.x] = x[threadIdx.x + n];
    __syncthreads();
    for (int i = 0; i < n; ++i)
        y[threadIdx.x] += first[i] * second[i];
}
