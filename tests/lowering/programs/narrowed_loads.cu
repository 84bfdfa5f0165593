// What is loaded as one integer type and used as another.
#include <cstdio>
#define N 64
__global__ void signs(unsigned *out, const unsigned *in)
{
    __shared__ unsigned s[N + 1];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int v = in[t];
    if (v < 0)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 7 * t;
    __syncthreads();
    if (int(in[t] * 3u) < -5)
        s[(t + 3) % N] += 1000;
    __syncthreads();
    out[t] += s[t];
}
__global__ void halves(unsigned *out, const unsigned long long *in)
{
    __shared__ unsigned s[N + 1];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    const unsigned long long packed = in[t];
    const unsigned low = unsigned(packed), high = packed >> 32;
    if (low < high)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 7 * t;
    __syncthreads();
    if (int(packed) < 0)
        s[(t + 3) % N] += 1000;
    __syncthreads();
    out[t] += s[t];
}
__global__ void short_ones(unsigned *out, const unsigned *in, const unsigned short *two, const int *ints)
{
    __shared__ unsigned s[N + 1];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    const unsigned char c = in[t];
    const short d = two[t];
    if (in[t] != c && d < 0)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 7 * t;
    __syncthreads();
    const unsigned u = ints[t];
    if (u > 0x80000000u)
        s[(t + 3) % N] += 1000;
    if (size_t(ints[t]) > 0x80000000u)
        s[(t + 3) % N] += 3000;
    __syncthreads();
    out[t] += s[t];
}
__global__ void offsets(unsigned *out, const unsigned *in)
{
    __shared__ unsigned s[3 * N];
    const int t = threadIdx.x;
    s[t] = 1000 + t;
    s[t + N] = 3 * t;
    s[t + 2 * N] = 5 * t;
    __syncthreads();
    const int off = in[t % 3] % 2 ? -1 - int(in[t % 3] % 3) : int(0u - in[3]);
    out[t] = s[t + 2 * N + off];
    __syncthreads();
    s[t + N] = s[t];
    __syncthreads();
    const unsigned w = s[t + N + int(in[4])];
    __syncthreads();
    s[t] = w;
    __syncthreads();
    out[t] += s[t];
}
int main()
{
    unsigned *out, *in;
    unsigned long long *wide;
    unsigned short *two;
    int *ints;
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&wide, N * sizeof *wide);
    cudaMallocManaged(&two, N * sizeof *two);
    cudaMallocManaged(&ints, N * sizeof *ints);
    for (int i = 0; i < N; ++i) {
        in[i] = i % 3 ? 0u - i : 300 + i;
        wide[i] = (i * 0x100000003ull << 20) + (i % 5 ? 0x80000001u : 7);
        two[i] = 65535 - i * 800;
        ints[i] = i % 4 ? -i : i;
    }
    const auto show = [&] {
        cudaDeviceSynchronize();
        for (int i = 0; i < N; ++i)
            printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    };
    signs<<<1, N>>>(out, in);
    show();
    halves<<<1, N>>>(out, wide);
    show();
    short_ones<<<1, N>>>(out, in, two, ints);
    show();
    in[0] = 5, in[1] = 7, in[2] = 3, in[3] = 2 * N, in[4] = 0u - 1;
    offsets<<<1, N>>>(out, in);
    show();
    cudaFree(out);
    cudaFree(in);
    cudaFree(wide);
    cudaFree(two);
    cudaFree(ints);
    return 0;
}
