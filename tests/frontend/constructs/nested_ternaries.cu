// out: 1 1 20 30 2 2 3 4
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i < 2 ? 1 : i < 4 ? i == 2 ? 20 : 30 : i < 6 ? 2 : (i == 6 ? 3 : 4);
}
