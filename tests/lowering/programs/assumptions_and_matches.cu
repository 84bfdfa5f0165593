// Assumptions, matches of a whole warp, texture fetches into a place.
#include <cstdio>
#include <cstring>

__global__ void compute(cudaTextureObject_t texels, const int *x, int *y, int n) {
    __builtin_assume(n > 0);
    __builtin_assume(blockDim.x % 32 == 0);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int same;
    unsigned lanes = __match_all_sync(0xffffffff, x[i] / 100, &same);
    int texel;
    tex1Dfetch(&texel, texels, i);
    y[i] = texel + same * 1000 + (lanes == 0xffffffff) * 10000 + (lanes == 0) * 20000;
}

int main() {
    const int n = 128;
    int *x, *y;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, n * sizeof(int));
    for (int i = 0; i < n; ++i)
        x[i] = i * 3 % 100 + (i >= 96 ? i : 0);
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = x;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = n * sizeof(int);
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof how);
    cudaTextureObject_t texels;
    cudaCreateTextureObject(&texels, &resource, &how, nullptr);
    compute<<<2, 64>>>(texels, x, y, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%d ", y[i]);
    printf("\n");
    return 0;
}
