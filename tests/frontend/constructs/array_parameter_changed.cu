// out: 7 7 7 7 7 7 7 7
__global__ void k(int out[], int n)
{
    out += blockIdx.x * blockDim.x;
    n -= 1;
    out[threadIdx.x] = n;
}
