// out: 41 41 6 9
// What wrappers get for launches alone, and templates that launch kernels with and without
// dynamic shared memory.
#include <cstdio>

__global__ void add(int *x, int v) { x[threadIdx.x] += v; }

__global__ void turn(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] += s[31 - threadIdx.x];
}

template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, dim3 grid, dim3 block, size_t bytes, cudaStream_t stream,
            Arguments... arguments)
{
    kernel<<<grid, block, bytes, stream>>>(arguments...);
}

template <typename Kernel> void launch_small(Kernel *kernel, int *x)
{
    launch(kernel, 1, 32, 32 * sizeof(int), nullptr, x);
}

// Members with the names of the types that they are made of: g++ takes only whole names there.
namespace tools {
template <typename T> struct Config {
    T threads;
};
struct Shape {
    int x;
};
template <typename T> struct Runner {
    using Config = Config<T>;
    Config config;
    Shape Shape;
};
} // namespace tools

void add_with(int *x, const size_t bytes) { add<<<1, 32, bytes>>>(x, 1); }

void add_beside(int *x, const int n)
{
    const size_t bytes = n * sizeof(int);
    cudaStream_t stream = 0;
    if (x)
        add<<<1, 32, bytes, stream>>>(x, 2);
    int more = 4;
    add<<<1, 32, more>>>(x, 3);
    more = more + 1;
    std::printf("%d ", more + n);
}

int main()
{
    int *x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i)
        x[i] = i;
    tools::Runner<int> runner{{32}, {1}};
    launch(add, runner.Shape.x, runner.config.threads, 64, 0, x, 2);
    launch_small(turn, x);
    add_with(x, 8);
    cudaDeviceSynchronize();
    std::printf("%d %d ", x[0] + 5, x[31] + 5);
    add_beside(x, 1);
    cudaDeviceSynchronize();
    std::printf("%d\n", x[3] - 32);
}
