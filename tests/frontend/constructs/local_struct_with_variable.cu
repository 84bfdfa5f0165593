// out: 3 9 10 11 3 9 10 11
__global__ void k(int *out, int n)
{
    struct Point { int x, y; } p, q[2];
    p.x = threadIdx.x;
    p.y = n;
    q[1] = p;
    enum Kind { SMALL, LARGE = 5 } kind = LARGE;
    enum { A = 2, B };
    if (threadIdx.x == 0) kind = SMALL;
    __syncthreads();
    out[blockIdx.x * 4 + threadIdx.x] = q[1].x + kind + B;
}
