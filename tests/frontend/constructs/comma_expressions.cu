// out: 54 54 54 54 54 54 54 54
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a, b;
    a = 1, b = 2;
    for (int x = 0, y = 10; x < y; x++, y--)
        a += x, b += y;
    out[i] = (a++, a + b);
}
