// out: 51 50 50 49 198 90 100 4294967295 1048576 74 26 2
// libcu++: atomic objects and references in kernels, and what it has of the standard library.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>

__global__ void count(const int *x, int n, int *bins, int *most, float *sum, unsigned *bits)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> inside;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        inside.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (i < n) {
        cuda::atomic_ref<int, cuda::thread_scope_device> bin(bins[x[i] % 4]);
        bin.fetch_add(1, cuda::memory_order_relaxed);
        cuda::atomic_ref<int, cuda::thread_scope_device>(*most).fetch_max(x[i]);
        cuda::atomic_ref<float> total(*sum);
        total.fetch_add(0.5f);
        cuda::std::atomic_ref<unsigned> all(*bits);
        all.fetch_or(1u << (x[i] % 32));
        inside.fetch_add(x[i] % 3);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> bin(bins[4]);
        bin.fetch_add(inside.load());
    }
}
__global__ void products(const int *x, int n, unsigned long long *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> product(*p);
    unsigned long long old = product.load();
    while (!product.compare_exchange_weak(old, old * (1 + x[i] % 2)))
        ;
}
__global__ void extremes(const int *x, int *y, int n)
{
    cuda::std::array<int, 2> found = {cuda::std::numeric_limits<int>::max(),
                                      cuda::std::numeric_limits<int>::min()};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        found[0] = cuda::std::min(found[0], x[i]);
        found[1] = cuda::std::max(found[1], x[i]);
    }
    cuda::std::swap(found[0], found[1]);
    y[2 * threadIdx.x] = found[0];
    y[2 * threadIdx.x + 1] = found[1];
}
int main()
{
    const int n = 200;
    int *x, *bins, *y, *most;
    float *sum;
    unsigned *bits;
    unsigned long long *p;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, 64 * sizeof(int));
    cudaMallocManaged(&bins, 5 * sizeof(int));
    cudaMallocManaged(&most, sizeof(int));
    cudaMallocManaged(&sum, sizeof(float));
    cudaMallocManaged(&bits, sizeof(unsigned));
    cudaMallocManaged(&p, sizeof(*p));
    for (int i = 0; i < n; ++i)
        x[i] = (i * 37) % 91;
    for (int i = 0; i < 5; ++i)
        bins[i] = 0;
    *most = 0;
    *sum = 0;
    *bits = 0;
    *p = 1;
    count<<<4, 64>>>(x, n, bins, most, sum, bits);
    products<<<1, 64>>>(x, 40, p);
    extremes<<<1, 32>>>(x, y, n);
    cudaDeviceSynchronize();
    cuda::std::atomic<int> host(3);
    host.fetch_sub(1);
    std::printf("%d %d %d %d %d %d %g %u %llu %d %d %d\n", bins[0], bins[1], bins[2], bins[3], bins[4],
                *most, *sum, *bits, *p, y[5], y[6], host.load());
}
