// out: 5 4 3 2 5 4 3 2
__global__ void __launch_bounds__(4) k(int *__restrict__ out, const int n)
{
    const volatile int zero = 0;
    unsigned int long long big = 1ull << 40;
    int signed const c = -1;
    __shared__ volatile int s[4];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    alignas(16) int a[4] = {1, 2, 3, 4};
    out[blockIdx.x * 4 + threadIdx.x] =
        s[3 - threadIdx.x] + c + zero + a[1] + int(big >> 40) + n - n;
}
