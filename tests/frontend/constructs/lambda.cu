// out: 8 10 12 14 16 18 20 22
__global__ void k(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto twice = [](int x) { return 2 * x; };
    auto plus_n = [=](int x) { return x + n; };
    int total = 0;
    auto count = [&](int x) { total += x; return total; };
    count(twice(i));
    out[i] = plus_n(total);
}
