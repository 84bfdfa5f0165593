// Members that need to know the thread and that only an instance of a template calls: functors,
// static members of a policy, through device functions and with barriers between.
#include <cstdio>

struct Scale {
    float by;
    __device__ void operator()(float *p) const { p[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
};

struct Reverse {
    int n;
    __device__ void operator()(float *p) const
    {
        __shared__ float kept[64];
        kept[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x];
        __syncthreads();
        p[blockIdx.x * blockDim.x + threadIdx.x] = kept[n - 1 - threadIdx.x];
    }
};

template <class F> __global__ void apply(float *p, F f)
{
    f(p);
}

struct Row {
    static __device__ int id() { return threadIdx.x; }
    static __device__ int warps() { return blockDim.x / 32; }
};

struct Plane {
    static __device__ int id() { return threadIdx.y * blockDim.x + threadIdx.x; }
    static __device__ int warps() { return blockDim.x * blockDim.y / 32; }
};

struct Third {
    static __device__ int id() { return 3; }
};

template <class T> __device__ T warp_sum(T value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

template <class T, class Place = Row> __device__ T block_sum(T value, T *shared)
{
    const int id = Place::id();
    value = warp_sum(value);
    __syncthreads();
    if (id % 32 == 0)
        shared[id / 32] = value;
    __syncthreads();
    value = id < Place::warps() ? shared[id % 32] : T(0);
    if (id / 32 == 0)
        value = warp_sum(value);
    return value;
}

template <class T> __global__ void row_total(T *out, const T *in)
{
    __shared__ T shared[32];
    T total = block_sum<T>(in[threadIdx.x], shared);
    if (threadIdx.x == 0)
        out[0] = total;
}

__global__ void plane_total(float *out, const float *in)
{
    __shared__ float shared[32];
    float total = block_sum<float, Plane>(in[Plane::id()], shared);
    if (Plane::id() == 0)
        out[1] = total;
}

template <class Place> __device__ int twice()
{
    return 2 * Place::id();
}

template <class Place> __global__ void places(int *p)
{
    p[threadIdx.x] += twice<Place>() + twice<Third>();
}

template <class Place> void launch(int *p)
{
    places<Place><<<1, 64>>>(p);
}

int main()
{
    float *a, *sums;
    int *b;
    cudaMallocManaged(&a, 256 * sizeof(float));
    cudaMallocManaged(&sums, 2 * sizeof(float));
    cudaMallocManaged(&b, 64 * sizeof(int));
    for (int i = 0; i < 256; ++i)
        a[i] = i % 13;
    for (int i = 0; i < 64; ++i)
        b[i] = i;
    apply<<<4, 64>>>(a, Scale{2});
    apply<<<4, 64>>>(a, Reverse{64});
    row_total<<<1, 256>>>(sums, a);
    plane_total<<<1, dim3(32, 8)>>>(sums, a);
    launch<Row>(b);
    launch<Third>(b);
    cudaDeviceSynchronize();
    printf("%g %g %g %g %d %d\n", a[1], a[200], sums[0], sums[1], b[5], b[63]);
}
