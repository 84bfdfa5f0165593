#include <cstdio>

// The last levels of trees whose size the launch says are no vectors.

// Two trees, and a variable with the name of theirs.
__global__ void sum_and_largest(const float *in, float *sums, float *largest, int n)
{
    extern __shared__ float s[];
    float *most = s + blockDim.x;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0.0f;
    most[t] = i < n ? in[i] : -1e30f;
    __syncthreads();
    // Halves of the block.
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            most[t] = fmaxf(most[t], most[t + d]);
        __syncthreads();
    }
    if (t == 0) {
        int d = blockIdx.x;
        sums[d] = s[0];
        largest[d] = most[0];
    }
}

// A tree for every chunk; the block is no power of two, so the last threads of a level may be left.
__global__ void chunks(const float *in, float *out, int n)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    for (int first = 0; first < n; first += blockDim.x) {
        s[t] = first + t < n ? in[first + t] : 0.0f;
        __syncthreads();
        for (unsigned d = blockDim.x / 2; d != 0; d >>= 1) {
            if (t < d)
                s[t] = s[t] * 0.5f + s[t + d];
            __syncthreads();
        }
        if (t == 0)
            out[first / blockDim.x] = s[0];
        __syncthreads();
    }
}

int main()
{
    const int n = 700;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    for (int i = 0; i < n; ++i)
        in[i] = (float)((i * 37) % 101) / 8.0f;
    for (int size : {1, 2, 8, 16, 24, 32, 128, 256}) {
        sum_and_largest<<<3, size, 2 * size * sizeof(float)>>>(in, out, out + 4, n);
        cudaDeviceSynchronize();
        for (int b = 0; b < 3; ++b)
            printf("%d: %g %g\n", size, out[b], out[b + 4]);
    }
    for (int size : {16, 96, 256}) {
        chunks<<<1, size>>>(in, out, n);
        cudaDeviceSynchronize();
        for (int c = 0; c < (n + size - 1) / size; ++c)
            printf("%d: %g\n", size, out[c]);
    }
    cudaFree(in);
    cudaFree(out);
    return 0;
}
