__global__ void k(unsigned *wide)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, i = t;
    s[t] = s[t + 32] = t;
    __syncthreads();
    for (unsigned r = t; r < 135; r += 45) {
        wide[r] = s[t] + __shfl_sync(0xffffffffu, r, 0);
        s[i++ % 32 + 32] += 3;
        __syncwarp();
    }
}
