// What others may watch is written in order: no vector loop.
__global__ void shown(volatile int *seen, int *out)
{
    int t = threadIdx.x;
    seen[t] = t;
    __syncthreads();
    out[t] = seen[t ^ 1];
}
