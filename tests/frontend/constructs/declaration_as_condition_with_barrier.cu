// out: 11 10 9 8 11 10 9 8
__device__ int f(int x) { return x > 1 ? x : 0; }
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    if (int x = f(n)) {
        s[threadIdx.x] = x + threadIdx.x;
        __syncthreads();
        out[blockIdx.x * 4 + threadIdx.x] = s[3 - threadIdx.x];
    }
}
