// A function object that only the instance knows is kept across a barrier: closures can be copied,
// not assigned.
#include <cstdio>

template <typename F> __global__ void map(int *out, F f, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = f(t);
    __syncthreads();
    if (t < n)
        out[blockIdx.x * 32 + t] = s[(t + 1) % n] - f(t);
}

int main()
{
    int out[96] = {}, *d, k = 5;
    cudaMalloc(&d, sizeof out);
    cudaMemset(d, 0, sizeof out);
    map<<<3, 32>>>(d, [=] __device__(int x) { return x * x % 11 * k; }, 30);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    for (int value : out)
        printf(" %d", value);
    map<<<3, 32>>>(d, [k] __device__(int x) mutable { return k += x; }, 31);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    for (int value : out)
        printf(" %d", value);
    printf("\n");
}
