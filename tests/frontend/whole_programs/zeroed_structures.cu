// out: 31 2 1 6
#include <cstdio>

__global__ void fill(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

__global__ void staged(float *x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// The vote is used as a mask alone.
template <int N> __global__ void sum_of_first(float *x)
{
    __shared__ float s[32];
    unsigned t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    const unsigned mask = __ballot_sync(0xffffffff, t < N);
    if (t < N) {
        float v = s[t];
        for (int offset = N / 2; offset > 0; offset /= 2)
            v += __shfl_down_sync(mask, v, offset);
        if (t == 0)
            x[0] = v;
    }
}

int main()
{
    const int n = 32;
    float *d, h[n];
    cudaMalloc(&d, n * sizeof(float));
    fill<<<1, n>>>(d, n);

    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(d, n * sizeof(float), n, 1);
    copy.dstPtr = make_cudaPitchedPtr(h, n * sizeof(float), n, 1);
    copy.extent = make_cudaExtent(n * sizeof(float), 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    std::printf("%g\n", h[31]);

    struct cudaDeviceProp properties[2] = {0};
    int sizes = 0;
    for (const cudaDeviceProp &one : properties)
        sizes += one.major == 0;
    std::printf("%d\n", sizes);

    int grid = 0, block = 0;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, staged, [](int threads) {
        return threads * sizeof(float);
    });
    std::printf("%d\n", block > 0);
    for (int threads : {8, 4})
        staged<<<1, threads, threads * sizeof(float)>>>(d);
    sum_of_first<4><<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%g\n", h[0] - 16);
    cudaFree(d);
}
