// out: 0 0 0 10 18 20 9 1 64 2 0
// Launches with everything in a structure, one that must fail among them.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <typename T> __global__ void add(T *x, T value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += value;
}

__global__ void reverse(int *x, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    if (t < n)
        s[t] = x[t];
    __syncthreads();
    if (t < n)
        x[t] = s[n - 1 - t];
}

__global__ void rotate(int *x, int *y)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
    grid.sync();
    x[i] = y[(i + 5) % 16];
}

int main()
{
    int *x, *y;
    cudaMallocManaged(&x, 16 * sizeof(int));
    cudaMallocManaged(&y, 16 * sizeof(int));
    for (int i = 0; i < 16; ++i)
        x[i] = i;

    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = dim3(4);
    cudaLaunchAttribute attributes[1];
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attributes;
    config.numAttrs = 1;
    std::printf("%d ", int(cudaLaunchKernelEx(&config, add<int>, x, 3, 12)));

    config.gridDim = dim3(1, 1, 1);
    config.blockDim = dim3(32, 1, 1);
    config.dynamicSmemBytes = 16 * sizeof(int);
    config.numAttrs = 0;
    int n = 16;
    void *arguments[] = {&x, &n};
    std::printf("%d ", int(cudaLaunchKernelExC(&config, (void *)reverse, arguments)));
    config.gridDim = 2;
    config.blockDim = 8;
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    config.numAttrs = 1;
    std::printf("%d ", int(cudaLaunchKernelEx(&config, rotate, x, y)));
    cudaDeviceSynchronize();
    std::printf("%d %d %d ", x[10] - x[8] + x[11] - 3, x[0] + x[15] - 9, x[9] + x[10] + x[4] + 4);

    config.blockDim = dim3(64, 64);
    cudaError_t failed = cudaLaunchKernelEx(&config, reverse, x, n);
    std::printf("%d %d\n", int(failed), failed == cudaGetLastError());

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamAttrValue window = {}, known = {};
    window.accessPolicyWindow.base_ptr = x;
    window.accessPolicyWindow.num_bytes = 16 * sizeof(int);
    window.accessPolicyWindow.hitRatio = 0.5f;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
    cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &known);
    std::printf("%d %d %d\n", int(known.accessPolicyWindow.num_bytes),
                int(known.accessPolicyWindow.hitProp), int(cudaCtxResetPersistingL2Cache()));
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
