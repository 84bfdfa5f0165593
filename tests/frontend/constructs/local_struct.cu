// out: 3 12 21 30 3 12 21 30
__global__ void k(int *out, int n)
{
    struct Pair { int a, b; };
    struct { int x; int y[2]; } u, w = {1, {2, 3}};
    Pair p = {int(threadIdx.x), n};
    __shared__ Pair pairs[4];
    u.x = p.a;
    pairs[threadIdx.x] = p;
    __syncthreads();
    u.y[0] = pairs[3 - threadIdx.x].a;
    out[blockIdx.x * 4 + threadIdx.x] = 10 * u.x + u.y[0] + w.y[1] - 3;
}
