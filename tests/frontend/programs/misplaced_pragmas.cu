// `#pragma unroll` in front of something else than a loop, which CUDA's compiler ignores.
#include <cstdio>

__global__ void powers(int *out, int turns)
{
    int value = threadIdx.x;
#pragma unroll
    int total = 0;
    for (int i = 0; i < turns; ++i) {
#pragma unroll 4
        total += value;
        value *= 3;
    }
    out[threadIdx.x] = total;
}

int main()
{
#pragma unroll
    int results[8] = {};
    int *out;
    cudaMalloc(&out, sizeof results);
    powers<<<1, 8>>>(out, 5);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int result : results)
        printf("%d ", result);
    printf("\n");
    return 0;
}
