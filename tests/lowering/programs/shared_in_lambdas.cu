// Lambdas without [&] that name shared memory: nobody copies that, and they may write it.
#include <cstdio>

__shared__ int common[4];
extern __shared__ int pool[];

template <typename F> __device__ int summed(int n, F f)
{
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += f(i);
    return sum;
}

__global__ void by_value(int *out, int n)
{
    __shared__ int s[32], last;
    int t = threadIdx.x, x = out[t], y = x + 1;
    s[t] = x;
    pool[t] = x * 3;
    if (t < 4)
        common[t] = t;
    if (t == 31)
        last = x;
    auto store = [=](int k) { s[t] += k + n; };
    auto nothing = [](int k) { return common[k % 4] + pool[k % 32]; };
    __syncthreads();
    auto other = [=](int k) { return s[(t + k) % 32] + y; };
    auto named = [y, t](int k) { return y + s[(t + k) % 32] * last; };
    x = 0;
    y += 5;
    int sum = other(1) + named(2) + nothing(t);
    __syncthreads();
    store(3);
    __syncthreads();
    sum += summed(3, [=](int k) { return s[(t + k) % 32] - s[k] + x + y; });
    auto outer = [=](int k) {
        int first = s[k % 32];
        return (first + s[t % 32]) * k + 2 * pool[t];
    };
    {
        int s = 5;
        auto hidden = [=](int k) { return s + k; };
        s = 6;
        sum += hidden(s);
    }
    sum += outer(2);
    out[t] = sum;
}

// Threads of a loop that is not known to be the same for all declare them, whether they go on or not.
template <typename T> __global__ void in_loop(T *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    pool[t] = t;
    for (int b = out[32]; b >= 0; --b) {
        s[t] = b + n;
        __syncthreads();
        auto next = [=](int k) { return s[(t + k) % 32] + pool[k % 32]; };
        sum += next(b);
        __syncthreads();
    }
    out[t] += sum;
}

int main()
{
    int h[33], *d;
    for (int i = 0; i < 33; ++i)
        h[i] = i * 7 % 23;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    by_value<<<1, 32, 32 * sizeof(int)>>>(d, 4);
    in_loop<int><<<1, 32, 32 * sizeof(int)>>>(d, 4);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    printf("\n");
    cudaFree(d);
    return 0;
}
