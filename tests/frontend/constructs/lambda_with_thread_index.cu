// out: 8 9 10 11 8 9 10 11
__global__ void k(int *out, int n)
{
    auto index = [] { return blockIdx.x * blockDim.x + threadIdx.x; };
    auto put = [&](int x) { out[index()] = x; };
    put(n + threadIdx.x);
}
