// The type of an index of the launch is unsigned, wherever it is asked for.
#include <cstdio>
#include <type_traits>

template <typename T> __device__ T half_of(T v) { return v / 2; }

__global__ void types(int *out, int m)
{
    using Index = decltype(threadIdx.x);
    typedef decltype(blockIdx.x * blockDim.x) Place;
    decltype(threadIdx.x) three = 3;
    Index j = m;
    Place k = m;
    auto q = static_cast<decltype(threadIdx.x)>(m);
    auto w = (decltype(threadIdx.x))m;
    auto u = decltype(blockDim.x)(m);
    auto f = [](decltype(threadIdx.x) v) { return v / 2; };
    int r = q / 2 % 1001 + w / 2 % 1003 + u / 2 % 1007 + j / 3 % 100 + k / 5 % 100 + f(m) % 7;
    r += half_of<decltype(threadIdx.x)>(m) % 1000 + three;
    r += std::is_signed<decltype(threadIdx.x)>::value * 10 + sizeof(threadIdx.x);
    out[threadIdx.x] = r;
}

// Types that are declared between the threads' loops, of what stands inside of these.
__global__ void types_of_kept(int *out)
{
    struct Pair {
        short x;
        int y;
    };
    __shared__ Pair pairs[32];
    pairs[threadIdx.x] = {(short)threadIdx.x, 4};
    __syncthreads();
    Pair own = pairs[31 - threadIdx.x];
    using Part = decltype(own.x);
    typedef decltype(pairs[0]) Other;
    Part narrow = own.x * 5000;
    __syncthreads();
    Other other = pairs[3];
    out[threadIdx.x] += narrow + own.y + other.x;
}

int main()
{
    int h[32], *d;
    cudaMalloc(&d, sizeof h);
    types<<<1, 32>>>(d, -3);
    types_of_kept<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf(" %d", v);
    printf("\n");
}
