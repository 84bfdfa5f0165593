// Where a warp is complete, all of its lanes take part; where it may not be, its mask says so.
__global__ void whole(const float *x, float *y)
{
    int t = threadIdx.x, lane = t % 32;
    float v = x[t];
    unsigned there = __activemask();
    float other = __shfl_xor_sync(0xffffffff, v, 4);
    y[t] = ((there >> (lane ^ 4)) & 1u) != 0 && v > 0.0f ? other : 0.0f;
    v += ((there >> (lane ^ 4)) & 1u) != 0 ? other : v;
    y[t + 64] = v;
}

__global__ void perhaps(const float *x, float *y)
{
    int t = threadIdx.x, lane = t % 32;
    float v = x[t];
    unsigned there = __activemask();
    float other = __shfl_xor_sync(0xffffffff, v, 4);
    y[t] = ((there >> (lane ^ 4)) & 1u) != 0 ? other : v;
}

void run(const float *x, float *y, int threads)
{
    whole<<<1, 64>>>(x, y);
    perhaps<<<1, threads>>>(x, y);
}
