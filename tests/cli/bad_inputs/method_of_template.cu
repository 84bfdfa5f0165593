template <int Step> struct Walker {
    static __device__ void run(int *x)
    {
        __shared__ int last[8];
        last[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = last[(threadIdx.x + Step) % 8];
    }
};

template <> struct Walker<1> {
    static __device__ void run(int *x) { x[threadIdx.x] = 0; }
};

template <int N> __global__ void walk(int *x)
{
    Walker<N + 1>::run(x);
}
