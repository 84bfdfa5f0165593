// Comparisons of numbers of several widths and signs that are loaded, and parameters of them.
#include <cstdio>
#define N 64
struct Range { unsigned begin, count; };
__global__ void ranges(unsigned *out, const Range *r, Range whole, unsigned long long wide)
{
    __shared__ unsigned s[N];
    const unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    const unsigned end = r[t].begin + r[t].count;
    if (end < r[t].begin)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if (whole.begin + whole.count < whole.begin)
        s[(t + 5) % N] += 1000;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    int k = wide;
    if (k < 0)
        s[(t + 5) % N] += 10000;
    __syncthreads();
    out[t] += s[t];
}
__global__ void bits(unsigned *out, const unsigned *in, int m)
{
    __shared__ unsigned s[N];
    const unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    const int v = int(in[t]) >> 31; // all bits are the sign
    if (v == -1)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if ((in[t] << 1 >> 1) != in[t])
        s[(t + 2) % N] += 1000;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if (in[t] * 2u < in[t])
        s[(t + 3) % N] += 10000;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    if (unsigned(m) > 5u && unsigned(m * 2) < unsigned(m))
        s[(t + 3) % N] += 100000;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    unsigned h = in[t];
    h += in[(t + 1) % N];
    h += 7;
    if (h < 7)
        s[(t + 4) % N] += 1000000;
    h -= 9;
    if (h > 0xfffffff0u)
        s[(t + 9) % N] += 2000000;
    __syncthreads();
    out[t] += s[t];
}
__global__ void counted(unsigned *out, const unsigned *in, unsigned char by)
{
    __shared__ unsigned s[N];
    const unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    unsigned char c = in[t];
    c += by;
    if (c < by)
        s[(t + 1) % N] += 100;
    __syncthreads();
    out[t] = s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    for (unsigned k = in[t]; k + 3 < 5u; ++k)
        s[(t + 2) % N] += k;
    __syncthreads();
    out[t] += s[t];
    __syncthreads();
    s[t] = 3 * t;
    __syncthreads();
    const unsigned q = (in[t] + 5) / 2, r = (in[t] + 6) % 4;
    if (q < 3)
        s[(t + 2) % N] += q;
    if (r == 0)
        s[(t + 2) % N] += 16;
    __syncthreads();
    out[t] += s[t];
}
int main()
{
    unsigned *out, *in;
    Range *r;
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&r, N * sizeof *r);
    for (unsigned i = 0; i < N; ++i) {
        in[i] = i % 3 ? 0u - i : 300 + i;
        if (i % 7 == 0)
            in[i] = i % 2 ? 0u - 5 : 0u - 7;
        r[i] = {i % 4 ? 0u - i : i, i * 2};
    }
    const auto show = [&] {
        cudaDeviceSynchronize();
        for (int i = 0; i < N; ++i)
            printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    };
    for (unsigned k = 0; k < 2; ++k) {
        ranges<<<1, N>>>(out, r, Range{k - 1, 9 + k}, k ? 5 : 0xfffffffffull);
        show();
        bits<<<1, N>>>(out, in, k ? 0x70000000 - 0x7fffffff : -1 << 30);
        show();
        counted<<<1, N>>>(out, in, 200 + k);
        show();
    }
    cudaFree(out);
    cudaFree(in);
    cudaFree(r);
    return 0;
}
