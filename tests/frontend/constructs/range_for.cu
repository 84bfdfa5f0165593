// out: 9 12 15 18 9 12 15 18
__global__ void k(int *out, int n)
{
    int values[3] = {1, 2, int(threadIdx.x)};
    int total = 0;
    for (int v : values)
        total += v;
    for (auto &v : values) {
        v *= 2;
        total += v;
    }
    out[blockIdx.x * 4 + threadIdx.x] = total;
}
