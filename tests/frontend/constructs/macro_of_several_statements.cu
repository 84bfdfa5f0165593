// out: 26 24 22 20 34 32 30 28
#define LOAD int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; s[t] = i; __syncthreads()
#define SWAP(a, b) { int tmp = a; a = b; b = tmp; }
#define ACC(x) total += x; total *= 2;
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    LOAD;
    int a = s[3 - t], b = 5, total = 0;
    SWAP(a, b)
    ACC(a)
    ACC(b)
    out[i] = total;
}
