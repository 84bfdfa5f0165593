// Classes of the program that do what CUB's do, some of them called as CUB's are, and kept memory by
// its reference: one object for all threads where making it only keeps an address.
#include <cstdio>
template <class T, int BLOCK> class BlockReduce {
    T *buf_;

public:
    struct TempStorage {
        T data[BLOCK];
    };
    __device__ explicit BlockReduce(TempStorage &s) : buf_(s.data) {}
    __device__ T Sum(T v) // of squares
    {
        buf_[threadIdx.x] = v * v;
        __syncthreads();
        for (int s = BLOCK / 2; s > 0; s >>= 1) {
            if (threadIdx.x < s)
                buf_[threadIdx.x] += buf_[threadIdx.x + s];
            __syncthreads();
        }
        T r = buf_[0];
        __syncthreads();
        return r;
    }
    __device__ T operator()(T v) { return Sum(v + 1); }
};
struct Turn {
    struct TempStorage {
        int v[64];
        int first;
    };
    TempStorage *s;
    __device__ explicit Turn(TempStorage &t) : s(&t) {}
    __device__ int run(int x, int d)
    {
        s->v[threadIdx.x] = x;
        __syncthreads();
        int r = s->v[(threadIdx.x + d) % 64];
        __syncthreads();
        return r;
    }
};
struct Noting {
    int *first_;
    __device__ Noting(Turn::TempStorage &t, int x) : first_(&t.first)
    {
        if (threadIdx.x == x)
            t.first = x;
    }
    __device__ int first() const { return *first_; }
};
__global__ void plain(const int *a, int *o)
{
    using Reduce = BlockReduce<int, 64>;
    __shared__ union {
        Reduce::TempStorage sums;
        Turn::TempStorage turns;
    } memory;
    int r = Reduce(memory.sums).Sum(a[threadIdx.x]);
    Turn turn(memory.turns);
    r += turn.run(a[threadIdx.x], 3);
    __syncthreads();
    Noting noting(memory.turns, 5);
    __syncthreads();
    o[threadIdx.x] = r + Turn(memory.turns).run(r, 1) + noting.first();
}
template <int B> __global__ void open(const int *a, int *o)
{
    using R = BlockReduce<int, B>;
    __shared__ typename R::TempStorage memory;
    int r = R(memory).Sum(a[threadIdx.x]);
    r += R(memory)(a[threadIdx.x]);
    R reduce(memory);
    r += reduce(a[threadIdx.x]);
    o[threadIdx.x] = r;
}
int main()
{
    int *a, *o;
    cudaMallocManaged(&a, 64 * 4);
    cudaMallocManaged(&o, 64 * 4);
    for (int i = 0; i < 64; ++i)
        a[i] = i * 7 % 11;
    plain<<<1, 64>>>(a, o);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d\n", o[i]);
    open<64><<<1, 64>>>(a, o);
    cudaDeviceSynchronize();
    printf("%d %d\n", o[0], o[63]);
}
