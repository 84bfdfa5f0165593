// out: 13 10 7 4 25 22 19 16
#define COORDINATES int tx = threadIdx.x, bx = blockIdx.x; const int i = bx * 4 + tx
#define TILE(type, name, size) __shared__ type name[size]
#define CONSTANTS enum { C1 = 3 }; const int c2 = 4
__global__ void k(int *out, int n)
{
    TILE(int, s, 4);
    COORDINATES;
    CONSTANTS;
    s[tx] = i;
    __syncthreads();
    out[i] = s[3 - tx] * C1 + c2;
}
