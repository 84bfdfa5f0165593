// Parameters without a sign that are negative numbers, and launches that say so.
#include <cstdio>
#define N 64
__global__ void roots(unsigned *out, unsigned root, unsigned short low, unsigned char c)
{
    __shared__ unsigned s[N];
    const int t = threadIdx.x, r = root;
    s[t] = t;
    __syncthreads();
    if (r < 0)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if (int(root) == -1)
        s[(t + 2) % N] += 1000;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if (short(low) < 0 && (signed char)c < -1)
        s[(t + 3) % N] += 10000;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if (t - int(root) > t)
        s[(t + 5) % N] += 100000;
    __syncthreads();
    out[t] += s[t];
}
int main()
{
    unsigned *out;
    cudaMallocManaged(&out, N * sizeof *out);
    for (int k = -2; k < 2; ++k) {
        roots<<<1, N>>>(out, k, k, k);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; ++i)
            printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    }
    cudaFree(out);
    return 0;
}
