// Calls that give every thread the same: made once where that is right, else left alone.
#include <cstdio>

__device__ float total(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

__device__ float triangle(int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += i;
    return sum;
}

__global__ void normalize(float *__restrict__ out, const float *__restrict__ in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float sum = total(in, n);
    out[i] = in[i] / sum + triangle(n) * triangle(n);
}

// `out` may be `in`: the sum changes while the kernel runs, if only in a program with a race.
__global__ void may_alias(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] / total(in, n);
}

__global__ void of_shared(float *out, const float *in)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] / total(tile, 64);
}

// Nothing says that any thread makes these calls.
__global__ void conditional(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (in[i] > 3)
            out[i] = triangle(n);
        else
            out[i] = i > 5 ? triangle(n + 1) : 0;
    }
}

__global__ void plane(float *out, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = in[y * width + x] * triangle(width + height);
}

__global__ void of_block(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] += triangle(blockIdx.x) + triangle(threadIdx.x);
}

// What remains of the loop adds to the same elements again and again: no place for simd.
__global__ void weigh(float *out, const float *in)
{
    __shared__ float bins[4];
    if (threadIdx.x < 4)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x & 3], triangle(5));
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = bins[threadIdx.x] + in[threadIdx.x];
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 6 * 64 * sizeof *out);
    for (int i = 0; i < 64; ++i)
        in[i] = i % 7;
    for (int i = 0; i < 6 * 64; ++i)
        out[i] = 0;
    normalize<<<2, 32>>>(out, in, 60);
    normalize<<<2, 32>>>(out, nullptr, 0); // no thread asks for the sum
    may_alias<<<2, 32>>>(out + 64, in, 64);
    of_shared<<<1, 64>>>(out + 128, in);
    conditional<<<2, 32>>>(out + 192, in, 64);
    plane<<<dim3(2, 2), dim3(4, 4)>>>(out + 256, in, 8, 8);
    of_block<<<4, 16>>>(out + 320);
    weigh<<<1, 64>>>(out + 60, in); // behind what `normalize` writes
    cudaDeviceSynchronize();
    for (int i = 0; i < 6 * 64; ++i)
        printf("%.4g%c", out[i], i % 16 == 15 ? '\n' : ' ');
}
