// out: 24 24 24 24 24 24 24 24
__global__ void k(int *out, int n)
{
    __shared__ int s[4];
    int t = threadIdx.x, a, b;
    a = 1, b = t, s[t] = b;
    __syncthreads();
    for (int x = 0, y = 3; x < y; ++x, --y) {
        b += s[y];
        __syncthreads();
        s[t] = b + x, a += 1;
        __syncthreads();
    }
    out[blockIdx.x * 4 + t] = (a++, a + b + s[3 - t]);
}
