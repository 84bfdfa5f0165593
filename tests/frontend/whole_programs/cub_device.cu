// out: 499500 0 999 498501 14 3 42 7 0 1 0 9 -5 11 4 1 3 250 6 3 2 1
// CUB for the whole device: every call first asks for temporary storage.
#include <cstdio>
#include <cub/cub.cuh>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = call;                                                                 \
        if (status != cudaSuccess)                                                                 \
            return std::printf("%s\n", cudaGetErrorString(status));                                \
    } while (0)

struct IsOdd {
    CUB_RUNTIME_FUNCTION __host__ __device__ __forceinline__ bool operator()(const int &x) const { return x & 1; }
};

struct Product {
    template <typename T> __device__ T operator()(const T &a, const T &b) const { return a * b; }
};

// Temporary storage that grows when a call wants more.
struct Storage {
    void *memory = nullptr;
    size_t bytes = 0;

    cudaError_t allocate(size_t wanted)
    {
        cudaFree(memory);
        bytes = wanted;
        return cudaMalloc(&memory, bytes);
    }
    ~Storage() { cudaFree(memory); }
};

__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = (i * 7) % n;
}

int main()
{
    const int n = 1000;
    int *x, *y, *z, *count;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, n * sizeof(int));
    cudaMallocManaged(&z, n * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    fill<<<(n + 127) / 128, 128>>>(x, n);
    cudaDeviceSynchronize();

    Storage storage;
    size_t wanted = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, wanted, x, y, n));
    CHECK(storage.allocate(wanted + 100));
    CHECK(cub::DeviceReduce::Sum(storage.memory, storage.bytes, x, y, n));
    CHECK(cub::DeviceReduce::Min(storage.memory, storage.bytes, x, y + 1, n, cudaStream_t(0)));
    CHECK(cub::DeviceReduce::Max(storage.memory, storage.bytes, x, y + 2, n));
    cudaDeviceSynchronize();
    std::printf("%d %d %d ", y[0], y[1], y[2]);

    CHECK(cub::DeviceScan::ExclusiveSum(storage.memory, storage.bytes, x, y, n));
    CHECK(cub::DeviceScan::InclusiveSum(storage.memory, storage.bytes, x, z, n));
    std::printf("%d %d %d ", y[n - 1] + z[0] - 6, y[2] + z[1], (z[2] - y[2]) / 4);
    for (int i = 0; i < 4; ++i)
        z[i] = i;
    CHECK(cub::DeviceReduce::Reduce(storage.memory, storage.bytes, z + 1, y, 3, Product(), 7));
    CHECK(
        cub::DeviceScan::ExclusiveScan(storage.memory, storage.bytes, z, y + 1, cub::Max(), 7, 4));
    std::printf("%d %d ", y[0], y[4]);

    CHECK(cub::DeviceRadixSort::SortPairs(storage.memory, storage.bytes, x, y, x, z, n));
    std::printf("%d %d ", y[0], z[1]);
    float keys[] = {2.5f, -1.0f, 0.0f, -5.0f, 11.0f}, sorted[5];
    int names[] = {0, 1, 2, 3, 9}, order[5];
    cub::DeviceRadixSort::SortPairsDescending(storage.memory, storage.bytes, keys, sorted, names,
                                              order, 5);
    std::printf("%d %d ", order[1], order[0]);
    cub::DoubleBuffer<float> buffer(keys, sorted);
    cub::DeviceRadixSort::SortKeys(storage.memory, storage.bytes, buffer, 5);
    std::printf("%g %g ", buffer.Current()[0], buffer.Current()[4]);
    unsigned low[] = {0x13, 0x21, 0x32, 0x04}, by_low[4];
    cub::DeviceRadixSort::SortKeys(storage.memory, storage.bytes, low, by_low, 4, 0, 4);
    std::printf("%u %u %d ", by_low[3] & 15, by_low[0] & 15, by_low[2] == 0x13 ? 3 : 0);

    CHECK(cub::DeviceSelect::If(storage.memory, storage.bytes, x, y, count, n / 2, IsOdd()));
    std::printf("%d ", *count);
    int runs[] = {4, 4, 4, 2, 7, 7}, values[6], lengths[6], bins[2];
    CHECK(cub::DeviceRunLengthEncode::Encode(storage.memory, storage.bytes, runs, values, lengths,
                                             count, 6));
    std::printf("%d %d ", values[1] * *count, lengths[0]);
    CHECK(
        cub::DeviceHistogram::HistogramEven(storage.memory, storage.bytes, runs, bins, 3, 2, 6, 6));
    CHECK(cub::DeviceSelect::Unique(storage.memory, storage.bytes, runs, values, count, 6));
    std::printf("%d %d\n", *count - bins[0], bins[1] - 2);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    cudaFree(count);
    return 0;
}
