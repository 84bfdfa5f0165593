// out: 3005 3005 3008 3009 3010 3011 3112 3113
__device__ int f(int x) { return x > 1 ? x : 0; }
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, total = 0;
    if (int x = f(i))
        total += x;
    else
        total -= 1 + x;
    int left = 3;
    while (int y = left--)
        total += y;
    if (int z = f(i); z > 5)
        total += 100;
    for (int q = 2; int r = q; --q)
        total += 1000 * r;
    out[i] = total;
}
