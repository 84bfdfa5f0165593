// Class templates inside of classes: member templates that are called without their class, and
// nested classes that stand for template parameters. Two variables of one such class in one declaration.
#include <cstdio>

template <int N>
class Window {
    template <bool CHECKED>
    struct Column {
        int at, value;
    };
    struct Halve {
        __device__ void operator()(int &c) const { c /= 2; }
    };
    int line[N + 1];

    template <bool CHECKED>
    __device__ void load(Column<CHECKED> &column, const int *in)
    {
        line[column.at] = CHECKED ? in[column.at] : -1;
        column.value = line[column.at];
    }

    template <typename F>
    __device__ void each(const F &f)
    {
        f(line[threadIdx.x]);
        __syncthreads();
    }

    template <bool CHECKED>
    __device__ void run(const int *in, int *out)
    {
        Column<CHECKED> column, boundary;
        column.at = threadIdx.x;
        boundary.at = N;
        load(column, in);
        if (threadIdx.x == 0)
            load(boundary, in);
        __syncthreads();
        out[threadIdx.x] = column.value + line[N - 1 - threadIdx.x] + line[boundary.at];
        __syncthreads();
        each(Halve());
        out[N + threadIdx.x] = line[N - 1 - threadIdx.x];
    }

  public:
    static __device__ void start(const int *in, int *out)
    {
        __shared__ Window<N> window;
        window.template run<true>(in, out);
    }
};

template <int N>
__global__ void kernel(const int *in, int *out)
{
    Window<N>::start(in, out);
}

int main()
{
    int h[16] = {1, 2, 3, 4, 5, 6, 7, 8}, *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    kernel<8><<<1, 8>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h)
        printf("%d ", v);
    printf("\n");
    return 0;
}
