// Constructors that need the launch: initialisers, bodies, templates, arguments that are calls.
#include <cstdio>
#include <cuda_runtime.h>

struct Place {
    int x, width;
    __device__ Place(int n) : x(blockIdx.x * n + threadIdx.x), width(n) {}
    __host__ __device__ Place(int first, int n) : x(first), width(n) {}
};

class Range {
    int end, begin;
    Place home;

  public:
    __device__ explicit Range(int n, int parts = 2) : home(1, end), end(n), begin(0)
    {
        const int share = (n + parts - 1) / parts;
        begin = (threadIdx.x % parts) * share;
        if (begin + share < end)
            end = begin + share;
        __syncthreads();
    }
    __device__ int first() const { return begin; }
    __device__ int last() const { return end + home.x; }
};

template <class T, int N> class Tile {
    T *memory;
    T value;

  public:
    __device__ Tile(T *shared, const T *in) : memory(shared), value(in[threadIdx.x])
    {
        memory[threadIdx.x] = value;
        __syncthreads();
    }
    __device__ Tile() : memory(nullptr), value(T(threadIdx.x)) {}
    __device__ T around() const { return memory[(threadIdx.x + N) % blockDim.x] - value; }
    __device__ T own() const { return value + T(threadIdx.x); }
};

// What does not need the launch stays as it is, constant members included.
struct Scaled {
    const int factor;
    __device__ Scaled(int by) : factor(by) {}
    __device__ int operator()(int x) const { return factor * x; }
};

template <class T> class Ring {
    T *memory;
    T value;

  public:
    template <class V> __device__ void place(T *shared, const V *in)
    {
        memory = shared;
        value = in[threadIdx.x] + 1;
        memory[threadIdx.x] = value;
        __syncthreads();
    }
    __device__ T around() const { return memory[(threadIdx.x + 9) % blockDim.x] - value; }
};

// An object in an object, and an overloaded template that is called by its name alone.
template <int N> struct Pair {
    Ring<int> inner;
    int sum;

    __device__ Pair() {}
    template <class T> __device__ void add(const T *values) { sum += values[threadIdx.x % N]; }
    template <class T> __device__ void add(const T *values, T more)
    {
        sum += values[threadIdx.x] + more;
    }
    template <class T> __device__ void fill(int *memory, const T *values)
    {
        inner.place(memory, values);
        sum = inner.around();
        add(values);
        add(values, T(N));
    }
};

__device__ int twice(int n)
{
    return 2 * n + (threadIdx.x > 40 ? 1 : 0);
}

__global__ void ranges(const int *in, int *out, int n)
{
    const Place at(64); // where this thread is
    const Place other(3, 4);
    Range whole(n), part(twice(n) / 2, 4);
    int sum = 0;
    for (int k = whole.first(); k < whole.last(); ++k)
        sum += in[k];
    for (int k = part.first(); k < part.last(); ++k)
        sum -= 3 * in[k];
    out[at.x] = sum + at.width + other.x * other.width;
}

template <class T> __global__ void tiles(const T *in, T *out)
{
    __shared__ T memory[64];
    Tile<T, 3> tile(memory, in);
    Tile<T, 5> alone;
    out[blockIdx.x * blockDim.x + threadIdx.x] += tile.around() + 100 * alone.own();
}

__global__ void pairs(const int *in, int *out)
{
    __shared__ int memory[64];
    Pair<4> pair;
    pair.fill(memory, in);
    out[blockIdx.x * blockDim.x + threadIdx.x] -= Scaled(3)(pair.sum);
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; ++i)
        in[i] = i * i % 17 + i;
    ranges<<<2, 64>>>(in, out, 100);
    tiles<int><<<2, 64>>>(in, out);
    pairs<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i)
        std::printf("%d\n", out[i]);
    cudaFree(in);
    cudaFree(out);
}
