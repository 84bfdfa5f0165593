// Vector loops that store integers, behind pointers of every kind.
#include <cstdio>

struct Cell {
    int count;
    float mass;
};

struct View {
    unsigned *data;
    int n;
};

struct Counter {
    unsigned *data;
    Counter(unsigned *memory) : data(memory) {}
    Counter(const Counter &other) : data(other.data) {}
};

__device__ int table[100];

template <class T> __global__ void increment(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}

__global__ void split(const int *in, int *low, unsigned char *high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    low[i] = in[i] & 15;
    high[i] = in[i] >> 4;
}

__global__ void count(Cell *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i].count += i;
}

// Real numbers need no copy of the pointer to them.
__global__ void weigh(Cell *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i].mass = 0.5f * cells[i].count;
}

// A structure of numbers and pointers has a copy, too.
__global__ void fill(View view)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < view.n)
        view.data[i] = 3 * i;
}

// A class may do anything when it is copied.
__global__ void count_down(Counter counter, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        counter.data[i] = n - i;
}

__global__ void tabulate(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = i * i;
}

__global__ void stride(size_t *sums, const int *in, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sums[i] = 7 * (in[i] + i);
}

int main()
{
    const int n = 100;
    int *in, *low, kept[n];
    unsigned char *high;
    double *real;
    Cell *cells;
    View view = {nullptr, n};
    size_t *sums;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&low, n * sizeof(int));
    cudaMallocManaged(&high, n);
    cudaMallocManaged(&real, n * sizeof(double));
    cudaMallocManaged(&cells, n * sizeof(Cell));
    cudaMallocManaged(&view.data, 2 * n * sizeof(unsigned));
    cudaMallocManaged(&sums, n * sizeof(size_t));
    for (int i = 0; i < n; ++i) {
        in[i] = 5 * i;
        real[i] = cells[i].count = i;
    }
    increment<<<4, 32>>>(in, n);
    increment<<<4, 32>>>(real, n);
    split<<<4, 32>>>(in, low, high, n);
    count<<<4, 32>>>(cells, n);
    weigh<<<4, 32>>>(cells, n);
    fill<<<4, 32>>>(view);
    count_down<<<4, 32>>>(Counter(view.data + n), n);
    tabulate<<<4, 32>>>(n);
    stride<<<2, 16>>>(sums, in, n);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(kept, table, sizeof kept);
    for (int i = 0; i < n; ++i)
        printf("%d %g %d %d %d %g %u %u %d %zu\n", in[i], real[i], low[i], high[i], cells[i].count,
               cells[i].mass, view.data[i], view.data[n + i], kept[i], sums[i]);
}
