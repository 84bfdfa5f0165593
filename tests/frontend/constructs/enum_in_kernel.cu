// out: 105 104 105 104 105 104 105 104
__global__ void k(int *out, int n)
{
    enum Colour { RED, GREEN = 4, BLUE };
    enum { OFFSET = 100 };
    Colour c = threadIdx.x & 1 ? GREEN : BLUE;
    out[blockIdx.x * 4 + threadIdx.x] = c + OFFSET;
}
