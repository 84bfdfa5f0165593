// Several threads with the same extreme: one of them has the derivative, whoever came first.
// g2o-verify: differences = none
// g2o-verify: all_blocks<<<4, 16>>>(n = 60, x = [n : (i * 7 + 3) % 5], w = [n], ends = [2 : 2 .. 2])
__device__ double raise_to(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        if (__longlong_as_double(assumed) >= value)
            break;
        old = atomicCAS(bits, assumed, __double_as_longlong(value));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ void lower_to(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long expected;
    do {
        expected = __double_as_longlong(*address);
    } while (atomicCAS(bits, expected,
                       __double_as_longlong(value < __longlong_as_double(expected)
                                                ? value
                                                : __longlong_as_double(expected))) != expected);
}

__global__ void all_blocks(const double *x, const double *w, double *ends, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    raise_to(&ends[0], x[i] + 0.0 * w[i]);
    lower_to(&ends[1], x[i] * 2.0 - x[i] + 0.0 * w[i]);
}

// The rows of an image, the best of each; then every pixel against the best of its row.
// g2o-verify: rows<<<(3, 5), (8, 4)>>>(w = 20, h = 18, x = [w * h : (i * 11 + 3) % 6], v = [w * h], best = [h : -1 .. -1])
__global__ void rows(const double *x, const double *v, double *best, int w, int h)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < w && row < h)
        for (int turn = 0; turn < 3; ++turn)
            raise_to(&best[row], x[row * w + column] + (1.0 - turn * (3 - turn) / 2) * v[0] * 0.0);
}

// In rounds in shared memory: what an earlier round has found is gone by then.
// g2o-verify: rounds<<<3, (8, 2)>>>(x = [3 * 16 * 4 : (i * 13 + 5) % 7], y = [3 * 16 * 4])
__global__ void rounds(const double *x, double *y)
{
    __shared__ double most[2][4];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int round = 0; round < 4; ++round) {
        int i = (blockIdx.x * 4 + round) * 16 + t;
        if (t < 8)
            most[t / 4][t % 4] = 3.0 * round;
        __syncthreads();
        if (t % 3 != 1)
            raise_to(&most[t % 2][round], x[i] * (1.0 + round));
        raise_to(&most[0][(round + 1) % 4], x[i]);
        __syncthreads();
        y[i] = x[i] * most[t % 2][round] + most[0][t % 4];
        __syncthreads();
    }
}
