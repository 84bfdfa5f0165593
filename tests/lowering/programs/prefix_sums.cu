// Sweeps over trees: some leave prefix sums, others something that looks like them.
#include <cstdio>

#define THREADS 64
#define N (2 * THREADS)

// `kind` 0 leaves prefix sums; 1 starts from 1 instead of 0; 2 leaves out a level.
template <int kind> __global__ void exclusive(const int *in, int *out, long long *totals, int n) {
    __shared__ int tree[N];
    int t = threadIdx.x, base = blockIdx.x * N;
    tree[t] = base + t < n ? in[base + t] : 0;
    tree[t + THREADS] = base + t + THREADS < n ? in[base + t + THREADS] : 0;
    int offset = 1;
    for (int d = N / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) {
        totals[blockIdx.x] = tree[N - 1];
        tree[N - 1] = kind == 1 ? 1 : 0;
    }
    for (int d = 1; d < (kind == 2 ? N / 2 : N); d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    if (base + t < n)
        out[base + t] = tree[t] + offset;
    if (base + t + THREADS < n)
        out[base + t + THREADS] = tree[t + THREADS];
}

// The same without a use of the offset behind the sweeps; sums wrap around.
__global__ void wrapping(const unsigned *in, unsigned *out, unsigned *totals) {
    __shared__ unsigned tree[N];
    int t = threadIdx.x, base = blockIdx.x * N;
    tree[2 * t] = in[base + 2 * t];
    tree[2 * t + 1] = in[base + 2 * t + 1];
    int offset = 1;
    for (int d = N >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        offset <<= 1;
    }
    __syncthreads();
    if (t == 0) {
        totals[blockIdx.x] = tree[N - 1];
        tree[N - 1] = 0;
    }
    for (int d = 1; d < N; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            unsigned value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    out[base + 2 * t] = tree[2 * t];
    out[base + 2 * t + 1] = tree[2 * t + 1];
}

int main() {
    const int n = 3 * N + 17, blocks = 4;
    int *in, *out;
    long long *totals;
    unsigned *large, *wrapped;
    cudaMallocManaged(&in, blocks * N * sizeof(int));
    cudaMallocManaged(&out, blocks * N * sizeof(int));
    cudaMallocManaged(&totals, blocks * sizeof(long long));
    cudaMallocManaged(&large, blocks * N * sizeof(unsigned));
    cudaMallocManaged(&wrapped, (N + 1) * blocks * sizeof(unsigned));
    for (int i = 0; i < blocks * N; ++i) {
        in[i] = i * 37 % 101 - 50;
        large[i] = 3000000000u + 123457u * i;
    }
    for (int kind = 0; kind < 3; ++kind) {
        if (kind == 0)
            exclusive<0><<<blocks, THREADS>>>(in, out, totals, n);
        else if (kind == 1)
            exclusive<1><<<blocks, THREADS>>>(in, out, totals, n);
        else
            exclusive<2><<<blocks, THREADS>>>(in, out, totals, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; ++i)
            printf("%d\n", out[i]);
        for (int b = 0; b < blocks; ++b)
            printf("%lld\n", totals[b]);
    }
    wrapping<<<blocks, THREADS>>>(large, wrapped, wrapped + blocks * N);
    cudaDeviceSynchronize();
    for (int i = 0; i < (N + 1) * blocks; ++i)
        printf("%u\n", wrapped[i]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(totals);
    cudaFree(large);
    cudaFree(wrapped);
    return 0;
}
