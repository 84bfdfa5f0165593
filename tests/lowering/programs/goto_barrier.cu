// A label in front of a barrier, out of two loops.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void goes_to_barrier(int *y, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    for (int b = 0; b < n; ++b) {
        s[t] = b + t;
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            for (int j = 0; j < 3; ++j) {
                sum += s[k] * j;
                if (sum > 300 + t)
                    goto done;
            }
        sum -= 7;
    done:
        __syncthreads();
    }
    y[t] = sum;
}

int main()
{
    int *y;
    cudaMalloc(&y, 32 * sizeof(int));
    goes_to_barrier<<<1, 32>>>(y, 5);
    int found[32];
    cudaMemcpy(found, y, sizeof found, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 32; ++k)
        printf("%d ", found[k]);
    printf("\n");
}
