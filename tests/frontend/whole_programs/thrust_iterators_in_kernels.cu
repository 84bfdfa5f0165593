// out: 3 11 1 6
// Algorithms of Thrust in kernels write through iterators that were made before.
#include <cstdio>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/tuple.h>

struct Increment {
    int *counters;
    __device__ void operator()(int i) const { counters[i] += 1; }
};

__global__ void order(int *x, int *seen)
{
    __shared__ int s[8], names[8], counters[8];
    int t = threadIdx.x;
    s[t] = x[t];
    names[t] = t;
    counters[t] = t;
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(s + 0, names + 0));
    Increment increment{counters};
    __syncthreads();
    if (t == 0) {
        thrust::sort(thrust::seq, pairs, pairs + 8);
        thrust::for_each(thrust::seq, thrust::counting_iterator<int>(0),
                         thrust::counting_iterator<int>(8), increment);
    }
    __syncthreads();
    int first = names[t], second = counters[t];
    thrust::swap(first, second);
    x[t] = second;
    seen[t] = first + s[t];
}

int main()
{
    int *x, *seen;
    cudaMallocManaged(&x, 8 * sizeof(int));
    cudaMallocManaged(&seen, 8 * sizeof(int));
    for (int i = 0; i < 8; ++i)
        x[i] = (i * 5 + 1) % 8;
    order<<<1, 8>>>(x, seen);
    cudaDeviceSynchronize();
    std::printf("%d %d %d %d\n", x[0], seen[5], seen[0], x[4] + x[1] - 1);
    cudaFree(x);
    cudaFree(seen);
    return 0;
}
