// Threads that leave loops in which others go on working together.
#include <cstdio>
#define N 64

// Each thread leaves when it has found its value; those that stay wait for each other.
__global__ void search(int *out, const int *x, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int steps = 0;
    int seen = 0;
    s[t] = x[t];
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        if (s[(t + i) % N] % 7 == t % 5)
            break;
        ++steps;
        __syncthreads();
        if (i % 3 == 1)
            continue;
        seen += s[(t + 2 * i) % N];
        __syncthreads();
    }
    out[blockIdx.x * N + t] = steps * 1000 + seen;
}

// A warp in which lanes stop, skip and return at different times.
__global__ void lanes(int *out, int n)
{
    int t = threadIdx.x;
    int value = t;
    int sum = 0;
    out[t] = -1;
    do {
        int other = __popc(__ballot_sync(__activemask(), value % 3 == 1));
        sum += other;
        if (sum > 40 + t)
            break;
        value += 3;
    } while (sum < n);
    __syncwarp();
    while (true) {
        unsigned ready = __ballot_sync(__activemask(), value % 4 == 0);
        if (ready & (1u << (t % 32))) {
            value += 1;
            continue;
        }
        if (value > 50) {
            if (t % 2)
                break;
            out[t] = sum;
            return;
        }
        value += 5;
    }
    out[t] = sum + 1000 * value;
}

// The last threads of the grid have nothing to do.
__global__ void ends(int *out, int n)
{
    __shared__ int s[N];
    int i = blockIdx.x * N + threadIdx.x;
    s[threadIdx.x] = i;
    if (i < n) {
        int kept = s[threadIdx.x] * 2;
        __syncthreads();
        int left = 0;
        while (left < 3 + int(threadIdx.x) % 4) {
            __syncthreads();
            ++left;
        }
        out[i] = kept + left;
    }
}

// A thread on its own jumps out of two of its loops, inside of a loop that all go through together.
__global__ void out_of_two(int *out, const int *x, int n)
{
    __shared__ int best;
    int t = threadIdx.x;
    for (int row = 0; row < n; ++row) {
        if (t == 0)
            best = -1;
        __syncthreads();
        for (int c = t; c < N; c += 5) {
            int v = x[c] * 7 + row;
            for (int k = 0;; ++k) {
                v -= k;
                if (v < 0)
                    break;
                if (k == 4)
                    goto next;
            }
            atomicMax(&best, c);
        next:;
        }
        __syncthreads();
        if (best > 50)
            break;
        if (t == row)
            out[row] = best;
        __syncthreads();
    }
}

int main()
{
    int *out, *x, host[2 * N], given[N];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&x, sizeof given);
    for (int i = 0; i < N; ++i)
        given[i] = (i * 13 + 5) % 31;
    cudaMemcpy(x, given, sizeof given, cudaMemcpyHostToDevice);
    search<<<2, N>>>(out, x, 20);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * N; ++i)
        printf("%d\n", host[i]);
    lanes<<<1, N>>>(out, 100);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i)
        printf("%d\n", host[i]);
    out_of_two<<<1, 7>>>(out, x, 7);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 7; ++i)
        printf("%d\n", host[i]);
    ends<<<2, N>>>(out, N + 20);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N + 20; ++i)
        printf("%d\n", host[i]);
}
