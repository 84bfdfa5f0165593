// A macro means what it meant where it stands, also in a function that moves behind its end.
#include <cstdio>

#define PICK(a, b) ((a) + (b))
__device__ int sum(int i)
{
    int third = i * 3;
    int found = PICK(threadIdx.x, third);
    return found;
}
#undef PICK
#define PICK(a, b) (a)

__global__ void k(int *out)
{
    int i = threadIdx.x;
    int unused = i * 5;
    out[i] = sum(i) + PICK(i, unused);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    k<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[5], out[31]);
}
