// Guards of unsigned numbers that wrap around.
#include <cstdio>
__global__ void moved(unsigned *x, unsigned off, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + off < n)
        x[i] += 1;
}
__global__ void moved_shared(unsigned *x, unsigned off, unsigned n)
{
    __shared__ unsigned s[64];
    const unsigned t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (t + off < n)
        s[63 - t] = 5;
    __syncthreads();
    x[t] += s[t];
}
__global__ void loops(unsigned *x, unsigned off, unsigned n)
{
    const unsigned t = threadIdx.x;
    unsigned sum = 0;
    for (unsigned i = t + off; i < n; i += 64)
        sum += i;
    x[t] += sum;
}
__global__ void from_memory(unsigned *x, const unsigned *in, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned off = in[0];
    if (i + off < n)
        x[i] += 1;
    for (unsigned k = i + in[1]; k < n; k += 64)
        x[i] += k;
}
__global__ void differences(unsigned *x, unsigned from, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i - from < n)
        x[i] += 1;
    if (n - i > from)
        x[i] += 10;
    if (from <= i && i <= n - 1)
        x[i] += 100;
    if (i < n - from)
        x[i] += 1000;
}
__global__ void sides(unsigned *x, unsigned width, unsigned height)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
    if (i - 1 < width - 2 && y - 1 < height - 2)
        x[y * 16 + i] += 7;
    if (i >= 1 && i < width - 1 && y >= 1 && y < height - 1)
        x[y * 16 + i] += 70;
}
int main()
{
    unsigned *x, *in;
    cudaMallocManaged(&x, 64 * sizeof(unsigned));
    cudaMallocManaged(&in, 64 * sizeof(unsigned));
    const unsigned values[] = {0u - 1, 0u - 20, 0, 3, 70, 0u - 64, 0x80000000u};
    for (unsigned off : values)
        for (unsigned n : {0u, 1u, 2u, 10u, 64u, 0xffffffffu - 1, 0u - 128}) {
            for (int i = 0; i < 64; ++i)
                x[i] = 0;
            in[0] = off, in[1] = n > 100 ? n : off;
            moved<<<2, 32>>>(x, off, n);
            moved_shared<<<1, 64>>>(x, off, n);
            if (n <= 64)
                loops<<<1, 64>>>(x, off, n);
            if (n <= 64)
                from_memory<<<2, 32>>>(x, in, n);
            differences<<<2, 32>>>(x, off, n);
            if (n <= 64)
                sides<<<1, dim3(16, 4)>>>(x, n % 17, off % 5);
            cudaDeviceSynchronize();
            for (int i = 0; i < 64; ++i)
                printf("%u%c", x[i], i % 16 == 15 ? '\n' : ' ');
        }
    cudaFree(x);
    cudaFree(in);
    return 0;
}
