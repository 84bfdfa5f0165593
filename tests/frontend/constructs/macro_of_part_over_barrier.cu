// out: 4 3 2 1 4 3 2 1
#define GUARD if (t < 4)
#define PLUS_ONE + 1
#define AT(a, x) a[(x) PLUS_ONE - 1]
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    GUARD AT(s, t) = t PLUS_ONE;
    __syncthreads();
    GUARD out[blockIdx.x * 4 + t] = AT(s, 3 - t);
}
