// out: 8 9 10 11 8 9 10 11
__global__ void k(int (*out)[8], int n)
{
    __shared__ int s[4];
    int (*p)[8] = out;
    s[threadIdx.x] = n;
    __syncthreads();
    (*p)[blockIdx.x * 4 + threadIdx.x] = s[0] + threadIdx.x;
}
#define LAUNCH k<<<2, 4>>>((int (*)[8])out, 8)
