// The lanes of a warp are threads along all axes, also along those that a kernel does not name.
#include <cstdio>

__global__ void votes(int *out, const int *in)
{
    unsigned present = __ballot_sync(0xffffffffu, in[threadIdx.x] > 0);
    out[threadIdx.x] = __popc(present);
}

__global__ void sums(int *out, const int *in)
{
    int v = in[threadIdx.x];
    for (int s = 16; s > 0; s /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, s);
    out[threadIdx.x] = v;
}

__global__ void largest(int *out, const int *in)
{
    out[threadIdx.y] = __reduce_max_sync(0xffffffffu, in[threadIdx.y]);
}

__global__ void down_a_column(int *out, const int *in)
{
    int v = in[blockIdx.x * blockDim.y + threadIdx.y];
    out[blockIdx.x * blockDim.y + threadIdx.y] = __shfl_down_sync(0xffffffffu, v, 2);
}

__global__ void all_of_a_block(int *out, const int *in)
{
    __shared__ int parts[32];
    int v = in[threadIdx.y];
    for (int s = 16; s > 0; s /= 2)
        v += __shfl_down_sync(0xffffffffu, v, s);
    if (threadIdx.y % 32 == 0)
        parts[threadIdx.y / 32] = v;
    __syncthreads();
    if (threadIdx.y == 0)
        out[blockIdx.x] = parts[0] + parts[1];
}

__global__ void in_step(int *out, const int *in)
{
    __shared__ volatile int row[64];
    int y = threadIdx.y;
    row[y] = in[y];
    __syncthreads();
    if (y < 32) {
        row[y] += row[y + 32];
        row[y] += row[y + 16];
        row[y] += row[y + 8];
        row[y] += row[y + 4];
        row[y] += row[y + 2];
        row[y] += row[y + 1];
    }
    if (y == 0)
        *out = row[0];
}

__global__ void depth_only(int *out, const int *in)
{
    int v = in[threadIdx.z];
    out[threadIdx.z] = __shfl_xor_sync(0xffffffffu, v, 4);
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i)
        in[i] = i * i % 17 - 5;
    auto show = [&](const char *what, int n) {
        cudaDeviceSynchronize();
        printf("%s:", what);
        for (int i = 0; i < n; ++i)
            printf(" %d", out[i]);
        printf("\n");
    };
    votes<<<1, dim3(8, 4)>>>(out, in);
    show("votes", 8);
    sums<<<1, dim3(8, 4)>>>(out, in);
    show("sums", 8);
    largest<<<1, dim3(4, 8)>>>(out, in);
    show("largest", 8);
    down_a_column<<<2, dim3(1, 40)>>>(out, in);
    show("down_a_column", 80);
    all_of_a_block<<<2, dim3(1, 64)>>>(out, in);
    show("all_of_a_block", 2);
    in_step<<<1, dim3(1, 64)>>>(out, in);
    show("in_step", 1);
    depth_only<<<1, dim3(1, 4, 8)>>>(out, in);
    show("depth_only", 8);
}
