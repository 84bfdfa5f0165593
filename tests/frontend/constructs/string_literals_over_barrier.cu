// out: 1 3 2 3 1 3 2 3
#include <cstdio>
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    const char *text = "x;y)z";
    s[threadIdx.x] = text[threadIdx.x];
    __syncthreads();
    if (s[0] == '}' || s[1] == '{')
        printf("no \"%c\"\n", ';');
    out[blockIdx.x * 4 + threadIdx.x] =
        s[3 - threadIdx.x] == ')' ? 1 : s[3 - threadIdx.x] == ';' ? 2 : 3;
}
