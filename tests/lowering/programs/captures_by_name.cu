// Lambdas that list what they capture, which has other names in the translation, or is in an array.
#include <cstdio>

struct Total {
    int value;
    __device__ int operator()(int x) { return value += x; }
};

__global__ void renamed(int *out, int n, Total total)
{
    int t = threadIdx.x;
    n += t;
    total(1);
    auto scaled = [n, total](int z) { return n * z + total.value; };
    auto grow = [&n](int z) { return n += z; };
    auto count = [&total, &n](int z) { return total(z) + n; };
    out[t] = scaled(2) + grow(3) + count(4) + n;
}

__global__ void kept(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x, x = out[t];
    s[t] = x;
    auto add = [&x](int z) { x += z; };
    __syncthreads();
    add(s[63 - t]);
    int y = x + 2;
    auto twice = [y, t]() { return 2 * y + t; };
    __syncthreads();
    s[t] = twice();
    add(1);
    __syncthreads();
    out[t] = s[t ^ 1] + x;
}

int main()
{
    int h[64], *d;
    for (int i = 0; i < 64; ++i)
        h[i] = i * 7 % 23;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    kept<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    renamed<<<1, 64>>>(d, 5, Total{2});
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    printf("\n");
}
