// Unsigned values from memory that stand for negative ones, and sums that wrap around.
#include <cstdio>

// Neighbours by offsets: the one before is at -1u.
__global__ void neighbours(unsigned *out, const unsigned *offset)
{
    __shared__ unsigned s[66];
    const unsigned t = threadIdx.x;
    s[t + 1] = t * t;
    if (t < 2)
        s[65 * t] = 7;
    __syncthreads();
    unsigned v = s[t + 1 + offset[t % 3]];
    __syncthreads();
    s[t + 1] = v + 1;
    __syncthreads();
    out[t] = s[t + 1] + 3 * s[t + 1 + offset[1]];
}

// A carry where a sum has wrapped around.
__global__ void carries(unsigned *out, const unsigned *a, const unsigned *b, unsigned m)
{
    __shared__ unsigned carry[65];
    const unsigned t = threadIdx.x;
    carry[t] = 0;
    if (t == 0)
        carry[64] = 0;
    __syncthreads();
    unsigned sum = a[t] + b[t];
    if (sum < a[t])
        carry[t + 1] = 1;
    if (a[t] + m < m)
        atomicAdd(&carry[0], 2);
    if (a[t] + 5 == 3)
        carry[(t + 7) % 64] += 16;
    __syncthreads();
    out[t] = sum + carry[t];
}

// Sums of parameters that wrap around, too.
__global__ void ends(unsigned *out, const unsigned *a, unsigned begin, unsigned count, unsigned long long wide)
{
    __shared__ unsigned s[65];
    const unsigned t = threadIdx.x;
    s[t] = t;
    if (t == 0)
        s[64] = 0;
    __syncthreads();
    if (begin + count < begin)
        s[t + 1] = 40;
    __syncthreads();
    if (begin + t < t && t % 2)
        s[(t + 9) % 64] += 100;
    __syncthreads();
    unsigned long long w = wide + a[t];
    unsigned v = s[t];
    if (w < wide)
        v += s[64 - t];
    __syncthreads();
    s[t] = v;
    __syncthreads();
    out[t] = s[t] + s[63 - t];
}

int main()
{
    unsigned *out, *a, *b, *offset;
    cudaMallocManaged(&out, 64 * sizeof(unsigned));
    cudaMallocManaged(&a, 64 * sizeof(unsigned));
    cudaMallocManaged(&b, 64 * sizeof(unsigned));
    cudaMallocManaged(&offset, 3 * sizeof(unsigned));
    for (unsigned i = 0; i < 64; ++i) {
        a[i] = i % 3 ? 0u - i : i;
        b[i] = i % 5 ? i : 0u - 1;
    }
    a[7] = 0u - 2;
    for (unsigned i = 0; i < 3; ++i)
        offset[i] = i - 1;
    neighbours<<<1, 64>>>(out, offset);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    carries<<<1, 64>>>(out, a, b, 9);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    for (unsigned begin = 0; begin < 2; ++begin) {
        ends<<<1, 64>>>(out, a, 0u - 1 - begin, 1 + begin * 2, 0ull - 3);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i)
            printf("%u%c", out[i], i % 16 == 15 ? '\n' : ' ');
    }
    cudaFree(out);
    cudaFree(a);
    cudaFree(b);
    cudaFree(offset);
    return 0;
}
