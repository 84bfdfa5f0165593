// Device variables that the host names in strings.
#include <cstdio>
#include <math_constants.h>

#define IS_KNOWN(x) ((x) < CUDART_INF_F)

__constant__ int table[4];
__constant__ char word[8];
__device__ int result[4];

__global__ void k() { result[threadIdx.x] = 10 * table[3 - threadIdx.x] + word[threadIdx.x]; }

int main()
{
    int host[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol("table", host, sizeof host);
    cudaMemcpyToSymbol("table", &host[3], sizeof(int), 2 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(word, "hello", 6);
    k<<<1, 4>>>();
    cudaMemcpyFromSymbol(host, "result", sizeof host);
    printf("%d %d %d %d %d: table\n", host[0], host[1], host[2], host[3], IS_KNOWN(1.0f));
}
