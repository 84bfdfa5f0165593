// Sweeps over a tree that leave prefix sums.
#define THREADS 8
#define N (2 * THREADS)

// Up and down; the root is read in between.
template <typename T> __device__ void sweep(T *tree, T *total) {
    int t = threadIdx.x;
    int offset = 1;
    for (int d = N >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) {
        total[blockIdx.x] = tree[N - 1];
        tree[N - 1] = 0;
    }
    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            T left = tree[ai];
            tree[ai] = tree[bi];
            tree[bi] += left;
        }
    }
    __syncthreads();
}

__global__ void of_integers(const int *in, int *out, int *total) {
    __shared__ int tree[N];
    int t = threadIdx.x;
    tree[t] = in[blockIdx.x * N + t];
    tree[t + THREADS] = in[blockIdx.x * N + t + THREADS];
    sweep(tree, total);
    out[blockIdx.x * N + t] = tree[t];
    out[blockIdx.x * N + t + THREADS] = tree[t + THREADS];
}

// Sums of real numbers depend on their order.
__global__ void of_reals(const float *in, float *out, float *total) {
    __shared__ float tree[N];
    int t = threadIdx.x;
    tree[t] = in[blockIdx.x * N + t];
    tree[t + THREADS] = in[blockIdx.x * N + t + THREADS];
    sweep(tree, total);
    out[blockIdx.x * N + t] = tree[t];
    out[blockIdx.x * N + t + THREADS] = tree[t + THREADS];
}

// Up to each element itself, and upwards alone: no prefix sums.
__global__ void inclusive(int *x, int *y) {
    __shared__ unsigned tree[N];
    __shared__ int other[N];
    int t = threadIdx.x;
    tree[t] = x[t];
    tree[t + THREADS] = x[t + THREADS];
    other[t] = y[t];
    other[t + THREADS] = y[t + THREADS];
    for (int step = 1; step < N; step *= 2) {
        __syncthreads();
        int right = (t + 1) * step * 2 - 1;
        if (right < N)
            tree[right] += tree[right - step];
    }
    for (int step = N / 4; step > 0; step /= 2) {
        __syncthreads();
        int right = (t + 1) * step * 2 - 1;
        if (right + step < N)
            tree[right + step] += tree[right];
    }
    __syncthreads();
    for (int step = 1; step < N; step *= 2) {
        __syncthreads();
        int right = (t + 1) * step * 2 - 1;
        if (right < N)
            other[right] += other[right - step];
    }
    __syncthreads();
    x[t] = tree[t];
    x[t + THREADS] = tree[t + THREADS];
    y[t] = other[t];
    y[t + THREADS] = other[t + THREADS];
}

void run() {
    of_integers<<<2, THREADS>>>(nullptr, nullptr, nullptr);
    of_reals<<<2, THREADS>>>(nullptr, nullptr, nullptr);
    inclusive<<<1, THREADS>>>(nullptr, nullptr);
}
