// out: 1 2 5 10 1 2 5 10
#define SYNC do { __syncthreads(); } while (0)
#define STORE_AND_SYNC(a, v) do { (a) = (v); __syncthreads(); } while (0)
#define BARRIER() __syncthreads()
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    STORE_AND_SYNC(s[t], t * t);
    int x = s[3 - t];
    SYNC;
    s[t] = x + 1;
    BARRIER();
    out[blockIdx.x * 4 + t] = s[3 - t];
}
