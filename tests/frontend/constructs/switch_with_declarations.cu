// out: 10 103 106 100 10 103 106 -1
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    switch (int m = i % 4) {
    case 0: {
        int a = 10;
        r = a;
        break;
    }
    case 1:
    case 2: {
        const int b = m * 3;
        r += b;
    }   // falls through
    default:
        r += 100;
    }
    switch (i) { case 7: r = -1; }
    out[i] = r;
}
