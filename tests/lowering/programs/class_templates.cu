// Methods of class templates that need the launch: static ones, those of objects, specialisations.
#include <cstdio>
#include <cuda_runtime.h>

namespace tools {

template <class T, int N = 4> class Window {
    static constexpr int WIDTH = N;
    using Item = T;
    T *buffer;
    int base;

  protected:
    static __device__ int place(int k) { return k % 256; }

  public:
    __device__ void bind(T *memory)
    {
        buffer = memory;
        base = threadIdx.x * WIDTH;
    }
    __device__ void load(const T *in)
    {
        for (int k = 0; k < N; ++k)
            buffer[base + k] = in[place(base + k)];
        __syncthreads();
    }
    __device__ T sum() const
    {
        Item total = 0;
        for (int k = 0; k < WIDTH; ++k)
            total += buffer[(base + k + N) % (blockDim.x * N)];
        return total;
    }
    __device__ T twice(const T *in)
    {
        load(in);
        return sum() + this->sum();
    }
};

} // namespace tools

template <class T, int N> struct Dot {
    static __device__ T of(const T *a, const T *b)
    {
        T value = a[threadIdx.x % N] * b[threadIdx.x % N];
        return value + __shfl_xor_sync(0xffffffffu, value, N / 2);
    }
};

// For long numbers only every other one counts.
template <int N> struct Dot<long long, N> {
    static __device__ long long of(const long long *a, const long long *b)
    {
        long long value = threadIdx.x % 2 ? a[threadIdx.x % N] * b[threadIdx.x % N] : 1;
        return value - __shfl_xor_sync(0xffffffffu, value, N);
    }
};

template <class T> struct Shift {
    T amount;
    template <int STEP> __device__ T by(const T *p) const
    {
        return p[threadIdx.x + STEP] + amount;
    }
};

template <class T> __global__ void windows(const T *in, T *out, Shift<T> shift)
{
    __shared__ T memory[256];
    tools::Window<T> own;
    own.bind(memory);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = own.twice(in) + shift.template by<3>(in);
}

__global__ void dots(const int *in, const long long *wide, int *out, long long *wide_out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int memory[256];
    tools::Window<int, 2> own;
    own.bind(memory);
    own.load(in + 1);
    out[i] += Dot<int, 8>::of(in, in + 8) + own.sum();
    wide_out[i] = Dot<long long, 4>::of(wide, wide + 3);
}

int main()
{
    int *in, *out;
    long long *wide, *wide_out;
    cudaMallocManaged(&in, 300 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    cudaMallocManaged(&wide, 300 * sizeof(long long));
    cudaMallocManaged(&wide_out, 128 * sizeof(long long));
    for (int i = 0; i < 300; ++i)
        wide[i] = in[i] = i * i % 17 + i;
    Shift<int> shift;
    shift.amount = 11;
    windows<int><<<2, 64>>>(in, out, shift);
    dots<<<2, 64>>>(in, wide, out, wide_out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i)
        std::printf("%d %lld\n", out[i], wide_out[i]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(wide);
    cudaFree(wide_out);
}
