// A block that reduces by an operator, which is handed down and comes later in the file: what the
// instances call, the shuffle of the operator too, is known where they stand behind it.
#include <cstdio>

#define WARP 32
struct OneAxis {
    static __device__ int thread() { return threadIdx.x; }
    static __device__ int warps() { return blockDim.x / WARP; }
};
template <typename T, class Op> __device__ T over_warp(T val, const Op &op) {
#pragma unroll
    for (int offset = WARP >> 1; offset > 0; offset >>= 1)
        val = op.of(val, op.from_below(val, offset));
    return val;
}
template <typename T, class Op, typename B = OneAxis>
__device__ T over_block(T val, const Op &op, const T &identity, T *shared) {
    const int tid = B::thread();
    const int lid = tid % WARP;
    const int wid = tid / WARP;
    val = over_warp(val, op);
    __syncthreads();
    if (lid == 0) shared[wid] = val;
    __syncthreads();
    val = (tid < B::warps()) ? shared[lid] : identity;
    if (wid == 0) val = over_warp(val, op);
    return val;
}
template <class T> struct Largest {
    T low;
    __host__ __device__ Largest(T low) : low(low) {}
    __device__ T of(T a, T b) const { return a > b ? a : (b > low ? b : low); }
    __device__ T from_below(T v, int offset) const { return __shfl_down_sync(0xffffffffu, v, offset); }
};
template <typename T> __global__ void maxima(const T *x, T *y, int n) {
    using Op = Largest<T>;
    __shared__ T s[WARP];
    Op op(-100);
    T v = -1000;
    for (int j = threadIdx.x; j < n; j += blockDim.x) v = op.of(v, x[blockIdx.x * n + j]);
    v = over_block(v, op, T(-1), s);
    if (threadIdx.x == 0) y[blockIdx.x] = v;
}
int main() {
    float *x, *y; cudaMallocManaged(&x, 4 * 300 * 4); cudaMallocManaged(&y, 16);
    for (int i = 0; i < 1200; ++i) x[i] = (i * 37) % 101 - 40 + i / 300;
    maxima<float><<<4, 128>>>(x, y, 300);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
}
