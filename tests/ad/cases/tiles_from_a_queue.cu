// g2o-verify: tiles_from_a_queue<<<2, 64>>>(n = 20, tiles = 4, starts = [21 : i], a = [40], y = [20],
//     next = [1 : 0])
// Warps take tiles until none is left; what lanes declare is asked for where some of them went on.
__global__ void tiles_from_a_queue(int n, int tiles, const int *starts, const float *a, float *y,
                                   unsigned *next)
{
    const int warp = threadIdx.x >> 5;
    const int lane = threadIdx.x & 31;
    for (;;) {
        unsigned int tile = atomicAdd(next, 1u);
        if (tile >= (unsigned)tiles)
            break;
        const int begin = tile * 8;
        const int end = min(begin + 8, n);
        for (int row = warp; row < n; row += 2) {
            const int own = starts[row];
            const int low = max(own, begin);
            const int high = min(starts[row + 1], end);
            if (low >= high)
                continue;
            float sum = 0.0f;
            for (int j = low + lane; j < high; j += 32)
                sum += a[j];
            for (int offset = 16; offset > 0; offset >>= 1)
                sum += __shfl_down_sync(0xffffffffu, sum, offset);
            if (lane == 0)
                atomicAdd(&y[row], sum * sum);
        }
        __syncthreads();
    }
}
