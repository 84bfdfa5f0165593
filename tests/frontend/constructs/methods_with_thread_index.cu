// out: 10 12 14 16 14 16 18 20
struct Shift { int by; __device__ int operator()(int x) const { return x + by + threadIdx.x; } };
extern "C" __device__ int lane() { return threadIdx.x; }
// Only kernels can call this.
__device__ int block_start() { return blockIdx.x * blockDim.x; }
__global__ void k(int *out, int n)
{
    Shift shift = {n};
    out[block_start() + threadIdx.x] = shift(block_start()) + lane() + 2;
}
