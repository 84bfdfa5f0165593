// out: 0 2 4 6 8 10 12 14
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count = 0;
again:
    if (count < i) {
        ++count;
        goto again;
    }
    if (i >= n) goto done;
    out[i] = 2 * count;
done:
    return;
}
