// Blocks that lie inside of the array as a whole need no guards: the last thread tells.
#define THREADS 64

__global__ void turn_pairs(const int *x, int *y, int n)
{
    __shared__ int s[2 * THREADS];
    int t = threadIdx.x;
    int first = blockIdx.x * 2 * THREADS;
    // Two elements for each thread.
    s[2 * t] = first + 2 * t < n ? x[first + 2 * t] : 0;
    s[2 * t + 1] = first + 2 * t + 1 < n ? x[first + 2 * t + 1] : 0;
    __syncthreads();
    if (first + 2 * t < n)
        y[first + 2 * t] = s[2 * t + 1];
    if (first + 2 * t + 1 < n)
        y[first + 2 * t + 1] = s[2 * t];
}

// The guards do not grow with the thread, or their limit does too.
__global__ void mirrored(const int *x, int *y, int n)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = n - 2 * t > 0 ? x[n - 2 * t] : 0;
    __syncthreads();
    if (2 * t < s[63 - t])
        y[2 * t] = s[63 - t];
}

// Where the elements stand depends on the round: no vectors.
__global__ void add_up(int *x)
{
    __shared__ int s[2 * THREADS];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + THREADS] = x[t + THREADS];
    int step = 1;
    for (int d = THREADS; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
        step *= 2;
    }
    __syncthreads();
    x[t] = s[2 * THREADS - 1];
}

void run(int *x, int *y, int n)
{
    turn_pairs<<<8, THREADS>>>(x, y, n);
    mirrored<<<1, THREADS>>>(x, y, n);
    add_up<<<1, THREADS>>>(x);
}
