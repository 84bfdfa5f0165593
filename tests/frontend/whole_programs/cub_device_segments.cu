// out: 86 88 0 0 14 2 86 0 0 1 -40 47 50 37 0 21 15 231 77 74 5 93 328350 59 90 265626 169 60 180 0 180 -1 12 10 5 25 41 15 75 3 24
// CUB for the whole device: segments, parts, runs of keys, sorts by any order, loops, iterators.
#include <cstdio>
#include <cub/cub.cuh>
#include <cub/util_debug.cuh>

struct Square {
    __host__ __device__ float operator()(int a) const { return float(a) * a; }
};
struct IsOdd {
    __host__ __device__ bool operator()(int a) const { return a % 2 != 0; }
};
struct IsLarge {
    __host__ __device__ bool operator()(int a) const { return a > 50; }
};
struct Backwards {
    __host__ __device__ bool operator()(int a, int b) const { return b < a; }
};
struct Double {
    int *values;
    __device__ void operator()(int i) const { values[i] *= 2; }
};
struct Increment {
    __device__ void operator()(int &value) const { value += 1; }
};

// Storage of the size that the first call wants, for the second.
template <typename F> void twice(F call)
{
    void *storage = nullptr;
    size_t bytes = 0;
    CubDebugExit(call(storage, bytes));
    CubDebugExit(cudaMalloc(&storage, bytes));
    CubDebugExit(call(storage, bytes));
    CubDebugExit(cudaFree(storage));
}

int main()
{
    const int n = 100, segments = 4;
    int *x, *y, *keys, *bounds, *count;
    float *f, *g;
    cub::KeyValuePair<int, int> *best;
    cudaMallocManaged(&x, n * sizeof(int));
    cudaMallocManaged(&y, n * sizeof(int));
    cudaMallocManaged(&keys, n * sizeof(int));
    cudaMallocManaged(&bounds, (segments + 1) * sizeof(int));
    cudaMallocManaged(&count, 2 * sizeof(int));
    cudaMallocManaged(&f, n * sizeof(float));
    cudaMallocManaged(&g, n * sizeof(float));
    cudaMallocManaged(&best, segments * sizeof(*best));
    for (int i = 0; i < n; ++i) {
        x[i] = (i * 37) % 91;
        keys[i] = i / 7 % 3;
        f[i] = (i * 53) % 89 - 40;
    }
    for (int i = 0; i <= segments; ++i)
        bounds[i] = i * 25;

    twice([&](void *s, size_t &b) {
        return cub::DeviceSegmentedReduce::Max(s, b, x, y, segments, bounds, bounds + 1);
    });
    std::printf("%d %d ", y[0], y[3]);
    twice([&](void *s, size_t &b) {
        return cub::DeviceSegmentedReduce::Reduce(s, b, x, y, segments, bounds, bounds + 1,
                                                  cub::Min(), 1000);
    });
    std::printf("%d %d ", y[0], y[3]);
    twice([&](void *s, size_t &b) {
        return cub::DeviceSegmentedReduce::ArgMin(s, b, x, best, segments, bounds, bounds + 1);
    });
    std::printf("%d %d ", best[2].key, best[2].value);
    twice([&](void *s, size_t &b) {
        return cub::DeviceSegmentedRadixSort::SortKeysDescending(s, b, x, y, n, segments, bounds,
                                                                 bounds + 1);
    });
    std::printf("%d %d %d ", y[0], y[24], y[99]);
    cub::DoubleBuffer<float> buffer(f, g);
    twice([&](void *s, size_t &b) {
        return cub::DeviceSegmentedSort::SortKeys(s, b, buffer, n, segments, bounds, bounds + 1);
    });
    std::printf("%d %g %g ", buffer.selector, buffer.Current()[0], buffer.Current()[99]);
    twice([&](void *s, size_t &b) {
        return cub::DevicePartition::If(s, b, x, y, count, n, IsOdd());
    });
    std::printf("%d %d %d ", *count, y[0], y[99]);
    twice([&](void *s, size_t &b) {
        return cub::DevicePartition::If(s, b, x, y, y + 50, keys + 50, count, 50, IsLarge(),
                                        IsOdd());
    });
    std::printf("%d %d ", count[0], count[1]);
    for (int i = 0; i < n; ++i)
        keys[i] = i / 7 % 3;
    twice([&](void *s, size_t &b) {
        return cub::DeviceScan::InclusiveSumByKey(s, b, keys, x, y, n);
    });
    std::printf("%d %d ", y[6], y[7]);
    twice([&](void *s, size_t &b) {
        return cub::DeviceScan::ExclusiveScanByKey(s, b, keys, x, y, cub::Max(), 5, n);
    });
    std::printf("%d %d ", y[6], y[7]);
    twice([&](void *s, size_t &b) { return cub::DeviceScan::ExclusiveSum(s, b, keys, n); });
    std::printf("%d ", keys[99]);
    cub::CountingInputIterator<int> numbers(0);
    cub::TransformInputIterator<float, Square, cub::CountingInputIterator<int>> squares(numbers,
                                                                                       Square());
    twice([&](void *s, size_t &b) { return cub::DeviceReduce::Sum(s, b, squares, g, n); });
    cub::ArgIndexInputIterator<int *, int> places(x);
    twice([&](void *s, size_t &b) {
        return cub::DeviceReduce::Reduce(s, b, places, best, n, cub::ArgMax(),
                                         cub::KeyValuePair<int, int>(-1, -1));
    });
    std::printf("%g %d %d ", g[0], best[0].key, best[0].value);
    twice([&](void *s, size_t &b) {
        return cub::DeviceReduce::TransformReduce(s, b, x, g, n, cub::Sum(), Square(), 0.0f);
    });
    std::printf("%g ", g[0]);
    CubDebugExit(cub::DeviceFor::Bulk(n, Double{x}));
    CubDebugExit(cub::DeviceFor::ForEachN(x, n / 2, Increment()));
    std::printf("%d %d ", x[49], x[50]);
    twice([&](void *s, size_t &b) {
        return cub::DeviceMergeSort::SortKeys(s, b, x, n, Backwards());
    });
    std::printf("%d %d ", x[0], x[99]);
    twice([&](void *s, size_t &b) {
        return cub::DeviceAdjacentDifference::SubtractLeftCopy(s, b, x, y, n);
    });
    std::printf("%d %d ", y[0], y[99]);
    int *lengths = keys;
    for (int i = 0; i < n; ++i)
        x[i] = i * i / 100 % 5;
    twice([&](void *s, size_t &b) {
        return cub::DeviceRunLengthEncode::NonTrivialRuns(s, b, x, y, lengths, count, n);
    });
    std::printf("%d %d %d ", *count, y[1], lengths[1]);
    int levels[4] = {0, 1, 3, 4};
    std::copy(levels, levels + 4, bounds);
    twice([&](void *s, size_t &b) {
        return cub::DeviceHistogram::HistogramRange(s, b, x, y, 4, bounds, n);
    });
    std::printf("%d %d %d ", y[0], y[1], y[2]);
    twice([&](void *s, size_t &b) {
        return cub::DeviceSelect::UniqueByKey(s, b, x, f, y, g, count, n);
    });
    std::printf("%d %d %g\n", *count, y[3], g[3]);
    return 0;
}
