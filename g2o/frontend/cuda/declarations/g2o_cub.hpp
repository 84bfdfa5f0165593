// CUB, as far as g2o_cub.hpp of the runtime has it, and the collectives of a block that lowering
// replaces.
#pragma once
#include <chrono>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "g2o_thrust.hpp"

#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CubDebug(error) cub::Debug((error), __FILE__, __LINE__)
#define CubDebugExit(error)                                                                        \
    if (cub::Debug((error), __FILE__, __LINE__) != cudaSuccess)                                    \
        std::exit(1)

#pragma clang force_cuda_host_device begin
namespace cub {

using Sum = thrust::plus<>;
using Difference = thrust::minus<>;
using Division = thrust::divides<>;
using Max = thrust::maximum<>;
using Min = thrust::minimum<>;
using Equality = thrust::equal_to<>;
using Inequality = thrust::not_equal_to<>;
template <typename Key_, typename Value_> struct KeyValuePair {
    using Key = Key_;
    using Value = Value_;
    Key key;
    Value value;
    KeyValuePair() = default;
    KeyValuePair(const Key &key, const Value &value);
    bool operator!=(const KeyValuePair &other) const;
};
template <int N> struct PowerOfTwo {
    enum { VALUE = (N & (N - 1)) == 0 };
};
template <int N> struct Log2 { // rounded up
    enum { VALUE = N <= 1 ? 0 : 1 + Log2<(N <= 1 ? 1 : (N + 1) / 2)>::VALUE };
};
template <> struct Log2<1> {
    enum { VALUE = 0 };
};
unsigned int LaneId();
unsigned int WarpId();
template <typename T> void Swap(T &a, T &b);
enum CacheLoadModifier {
    LOAD_DEFAULT,
    LOAD_CA,
    LOAD_CG,
    LOAD_CS,
    LOAD_CV,
    LOAD_LDG,
    LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier modifier, typename In>
typename std::iterator_traits<In>::value_type ThreadLoad(In place);
template <CacheStoreModifier modifier, typename Out, typename T>
void ThreadStore(Out place, T value);
struct ArgMax {
    template <typename Pair> Pair operator()(const Pair &a, const Pair &b) const;
};
struct ArgMin {
    template <typename Pair> Pair operator()(const Pair &a, const Pair &b) const;
};
template <typename T, typename = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <typename T, typename = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <typename T, typename Function, typename In, typename = std::ptrdiff_t>
using TransformInputIterator = thrust::transform_iterator<Function, In>;
using DiscardOutputIterator = thrust::discard_iterator;
template <typename In, typename Offset = std::ptrdiff_t,
          typename T = typename std::iterator_traits<In>::value_type>
class ArgIndexInputIterator
    : public thrust::detail::IteratorBase<ArgIndexInputIterator<In, Offset, T>,
                                          KeyValuePair<Offset, T>, KeyValuePair<Offset, T>> {
  public:
    explicit ArgIndexInputIterator(In first, std::ptrdiff_t at = 0);
};
cudaError_t Debug(cudaError_t error, const char *file, int line);
template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer();
    DoubleBuffer(T *current, T *alternate);
    T *Current() const;
    T *Alternate() const;
};

class CachingDeviceAllocator {
  public:
    explicit CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
    CachingDeviceAllocator(unsigned growth, unsigned smallest, unsigned largest, size_t kept_bytes,
                           bool skip_cleanup = false, bool debug = false);
    cudaError_t DeviceAllocate(void **pointer, size_t bytes, cudaStream_t stream = 0);
    cudaError_t DeviceAllocate(int device, void **pointer, size_t bytes, cudaStream_t stream = 0);
    cudaError_t DeviceFree(void *pointer);
    cudaError_t DeviceFree(int device, void *pointer);
    cudaError_t FreeAllCached();
};

#define G2O_DEVICE_WIDE(name)                                                                      \
    template <typename... A> static cudaError_t name(void *storage, size_t &bytes, A &&...)        \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
struct DeviceReduce {
    G2O_DEVICE_WIDE(Reduce)
    G2O_DEVICE_WIDE(Sum)
    G2O_DEVICE_WIDE(Min)
    G2O_DEVICE_WIDE(Max)
    G2O_DEVICE_WIDE(ArgMin)
    G2O_DEVICE_WIDE(ArgMax)
    G2O_DEVICE_WIDE(ReduceByKey)
    G2O_DEVICE_WIDE(TransformReduce)
};
struct DeviceSegmentedReduce {
    G2O_DEVICE_WIDE(Reduce)
    G2O_DEVICE_WIDE(Sum)
    G2O_DEVICE_WIDE(Min)
    G2O_DEVICE_WIDE(Max)
    G2O_DEVICE_WIDE(ArgMin)
    G2O_DEVICE_WIDE(ArgMax)
};
struct DeviceScan {
    G2O_DEVICE_WIDE(InclusiveSum)
    G2O_DEVICE_WIDE(ExclusiveSum)
    G2O_DEVICE_WIDE(InclusiveScan)
    G2O_DEVICE_WIDE(ExclusiveScan)
    G2O_DEVICE_WIDE(InclusiveSumByKey)
    G2O_DEVICE_WIDE(ExclusiveSumByKey)
    G2O_DEVICE_WIDE(InclusiveScanByKey)
    G2O_DEVICE_WIDE(ExclusiveScanByKey)
};
struct DeviceRadixSort {
    G2O_DEVICE_WIDE(SortKeys)
    G2O_DEVICE_WIDE(SortKeysDescending)
    G2O_DEVICE_WIDE(SortPairs)
    G2O_DEVICE_WIDE(SortPairsDescending)
};
struct DeviceSegmentedRadixSort {
    G2O_DEVICE_WIDE(SortKeys)
    G2O_DEVICE_WIDE(SortKeysDescending)
    G2O_DEVICE_WIDE(SortPairs)
    G2O_DEVICE_WIDE(SortPairsDescending)
};
struct DeviceSegmentedSort {
    G2O_DEVICE_WIDE(SortKeys)
    G2O_DEVICE_WIDE(SortKeysDescending)
    G2O_DEVICE_WIDE(SortPairs)
    G2O_DEVICE_WIDE(SortPairsDescending)
    G2O_DEVICE_WIDE(StableSortKeys)
    G2O_DEVICE_WIDE(StableSortKeysDescending)
    G2O_DEVICE_WIDE(StableSortPairs)
    G2O_DEVICE_WIDE(StableSortPairsDescending)
};
struct DeviceMergeSort {
    G2O_DEVICE_WIDE(SortKeys)
    G2O_DEVICE_WIDE(StableSortKeys)
    G2O_DEVICE_WIDE(SortKeysCopy)
    G2O_DEVICE_WIDE(SortPairs)
    G2O_DEVICE_WIDE(StableSortPairs)
    G2O_DEVICE_WIDE(SortPairsCopy)
};
struct DeviceSelect {
    G2O_DEVICE_WIDE(If)
    G2O_DEVICE_WIDE(Flagged)
    G2O_DEVICE_WIDE(Unique)
    G2O_DEVICE_WIDE(UniqueByKey)
};
struct DevicePartition {
    G2O_DEVICE_WIDE(Flagged)
    G2O_DEVICE_WIDE(If)
};
struct DeviceAdjacentDifference {
    G2O_DEVICE_WIDE(SubtractLeftCopy)
    G2O_DEVICE_WIDE(SubtractLeft)
    G2O_DEVICE_WIDE(SubtractRightCopy)
    G2O_DEVICE_WIDE(SubtractRight)
};
struct DeviceRunLengthEncode {
    G2O_DEVICE_WIDE(Encode)
    G2O_DEVICE_WIDE(NonTrivialRuns)
};
struct DeviceHistogram {
    G2O_DEVICE_WIDE(HistogramEven)
    G2O_DEVICE_WIDE(HistogramRange)
};
#undef G2O_DEVICE_WIDE
#define G2O_CALLED_ONCE(name)                                                                      \
    template <typename... A> static cudaError_t name(A &&...) { return cudaSuccess; }
struct DeviceFor {
    G2O_CALLED_ONCE(Bulk)
    G2O_CALLED_ONCE(ForEach)
    G2O_CALLED_ONCE(ForEachN)
    G2O_CALLED_ONCE(ForEachCopy)
};
#undef G2O_CALLED_ONCE

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockReduce {
  public:
    struct TempStorage {};
    BlockReduce();
    BlockReduce(TempStorage &storage);
    T Sum(T value);
    T Sum(T value, int count);
    template <int N> T Sum(T (&values)[N]);
    template <typename Operation> T Reduce(T value, Operation op);
    template <typename Operation> T Reduce(T value, Operation op, int count);
    template <int N, typename Operation> T Reduce(T (&values)[N], Operation op);
};
template <typename T, int Lanes = 32, int Architecture = 0> class WarpReduce {
  public:
    struct TempStorage {};
    WarpReduce(TempStorage &storage);
    T Sum(T value);
    T Sum(T value, int count);
    template <typename Operation> T Reduce(T value, Operation op);
    template <typename Operation> T Reduce(T value, Operation op, int count);
    template <typename Flag> T HeadSegmentedSum(T value, Flag head);
    template <typename Flag> T TailSegmentedSum(T value, Flag tail);
    template <typename Operation, typename Flag>
    T HeadSegmentedReduce(T value, Flag head, Operation op);
    template <typename Operation, typename Flag>
    T TailSegmentedReduce(T value, Flag tail, Operation op);
};

enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS,
};
template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockScan {
  public:
    struct TempStorage {};
    BlockScan();
    BlockScan(TempStorage &storage);
    void InclusiveSum(T value, T &result);
    void InclusiveSum(T value, T &result, T &total);
    template <typename Callback> void InclusiveSum(T value, T &result, Callback &before);
    void ExclusiveSum(T value, T &result);
    void ExclusiveSum(T value, T &result, T &total);
    template <typename Callback> void ExclusiveSum(T value, T &result, Callback &before);
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op);
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op, T &total);
    template <typename Operation, typename Callback>
    void InclusiveScan(T value, T &result, Operation op, Callback &before);
    template <typename Operation> void ExclusiveScan(T value, T &result, Operation op);
    template <typename Operation> void ExclusiveScan(T value, T &result, T initial, Operation op);
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op, T &total);
    template <typename Operation, typename Callback>
    void ExclusiveScan(T value, T &result, Operation op, Callback &before);
    template <int N> void InclusiveSum(T (&values)[N], T (&results)[N]);
    template <int N> void InclusiveSum(T (&values)[N], T (&results)[N], T &total);
    template <int N, typename Callback>
    void InclusiveSum(T (&values)[N], T (&results)[N], Callback &before);
    template <int N> void ExclusiveSum(T (&values)[N], T (&results)[N]);
    template <int N> void ExclusiveSum(T (&values)[N], T (&results)[N], T &total);
    template <int N, typename Callback>
    void ExclusiveSum(T (&values)[N], T (&results)[N], Callback &before);
    template <int N, typename Operation>
    void InclusiveScan(T (&values)[N], T (&results)[N], Operation op);
    template <int N, typename Operation>
    void InclusiveScan(T (&values)[N], T (&results)[N], Operation op, T &total);
    template <int N, typename Operation, typename Callback>
    void InclusiveScan(T (&values)[N], T (&results)[N], Operation op, Callback &before);
    template <int N, typename Operation>
    void ExclusiveScan(T (&values)[N], T (&results)[N], Operation op);
    template <int N, typename Operation, typename Callback>
    void ExclusiveScan(T (&values)[N], T (&results)[N], Operation op, Callback &before);
    template <int N, typename Operation>
    void ExclusiveScan(T (&values)[N], T (&results)[N], T initial, Operation op);
    template <int N, typename Operation>
    void ExclusiveScan(T (&values)[N], T (&results)[N], T initial, Operation op, T &total);
};
template <typename T, int Lanes = 32, int Architecture = 0> class WarpScan {
  public:
    struct TempStorage {};
    WarpScan(TempStorage &storage);
    void InclusiveSum(T value, T &result);
    void InclusiveSum(T value, T &result, T &total);
    void ExclusiveSum(T value, T &result);
    void ExclusiveSum(T value, T &result, T &total);
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op);
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op, T &total);
    template <typename Operation> void ExclusiveScan(T value, T &result, T initial, Operation op);
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op, T &total);
    T Broadcast(T value, unsigned lane);
};

template <typename T, int N, typename In> void LoadDirectBlocked(int rank, In in, T (&items)[N]);
template <typename T, int N, typename In>
void LoadDirectBlocked(int rank, In in, T (&items)[N], int count);
template <typename T, int N, typename In, typename Default>
void LoadDirectBlocked(int rank, In in, T (&items)[N], int count, Default other);
template <int Threads, typename T, int N, typename In>
void LoadDirectStriped(int rank, In in, T (&items)[N]);
template <int Threads, typename T, int N, typename In>
void LoadDirectStriped(int rank, In in, T (&items)[N], int count);
template <int Threads, typename T, int N, typename In, typename Default>
void LoadDirectStriped(int rank, In in, T (&items)[N], int count, Default other);
template <typename T, int N, typename Out>
void StoreDirectBlocked(int rank, Out out, T (&items)[N]);
template <typename T, int N, typename Out>
void StoreDirectBlocked(int rank, Out out, T (&items)[N], int count);
template <int Threads, typename T, int N, typename Out>
void StoreDirectStriped(int rank, Out out, T (&items)[N]);
template <int Threads, typename T, int N, typename Out>
void StoreDirectStriped(int rank, Out out, T (&items)[N], int count);

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
template <typename T, int X, int N, BlockLoadAlgorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockLoad {
  public:
    struct TempStorage {};
    BlockLoad();
    BlockLoad(TempStorage &storage);
    template <typename In> void Load(In in, T (&items)[N]);
    template <typename In> void Load(In in, T (&items)[N], int count);
    template <typename In, typename Other> void Load(In in, T (&items)[N], int count, Other other);
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};
template <typename T, int X, int N, BlockStoreAlgorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockStore {
  public:
    struct TempStorage {};
    BlockStore();
    BlockStore(TempStorage &storage);
    template <typename Out> void Store(Out out, T (&items)[N]);
    template <typename Out> void Store(Out out, T (&items)[N], int count);
};

template <typename T, int X, int N, bool TimeSliced = false, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockExchange {
  public:
    struct TempStorage {};
    BlockExchange();
    BlockExchange(TempStorage &storage);
    template <typename Out> void StripedToBlocked(const T (&items)[N], Out (&out)[N]);
    template <typename Out> void BlockedToStriped(const T (&items)[N], Out (&out)[N]);
    template <typename Out, typename Rank>
    void ScatterToBlocked(const T (&items)[N], Out (&out)[N], Rank (&ranks)[N]);
    template <typename Out, typename Rank>
    void ScatterToStriped(const T (&items)[N], Out (&out)[N], Rank (&ranks)[N]);
    void StripedToBlocked(T (&items)[N]);
    void BlockedToStriped(T (&items)[N]);
    template <typename Rank> void ScatterToBlocked(T (&items)[N], Rank (&ranks)[N]);
    template <typename Rank> void ScatterToStriped(T (&items)[N], Rank (&ranks)[N]);
};

template <typename T, int X, int Y = 1, int Z = 1, int Architecture = 0>
class BlockAdjacentDifference {
  public:
    struct TempStorage {};
    BlockAdjacentDifference();
    BlockAdjacentDifference(TempStorage &storage);
    template <int N, typename Out, typename Op>
    void SubtractLeft(T (&items)[N], Out (&out)[N], Op op);
    template <int N, typename Out, typename Op>
    void SubtractLeft(T (&items)[N], Out (&out)[N], Op op, T before);
    template <int N, typename Out, typename Op>
    void SubtractRight(T (&items)[N], Out (&out)[N], Op op);
    template <int N, typename Out, typename Op>
    void SubtractRight(T (&items)[N], Out (&out)[N], Op op, T behind);
    template <int N, typename Out, typename Op>
    void SubtractLeftPartialTile(T (&items)[N], Out (&out)[N], Op op, int count);
    template <int N, typename Out, typename Op>
    void SubtractLeftPartialTile(T (&items)[N], Out (&out)[N], Op op, int count, T before);
    template <int N, typename Out, typename Op>
    void SubtractRightPartialTile(T (&items)[N], Out (&out)[N], Op op, int count);
};

struct NullType {};
template <typename Key, int X, int N, typename Value = NullType, int RadixBits = 4,
          bool Memoize = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockRadixSort {
  public:
    struct TempStorage {};
    BlockRadixSort();
    BlockRadixSort(TempStorage &storage);
    void Sort(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key));
    void Sort(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = 8 * sizeof(Key));
    void SortDescending(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key));
    void SortDescending(Key (&keys)[N], Value (&values)[N], int begin = 0,
                        int end = 8 * sizeof(Key));
    void SortBlockedToStriped(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key));
    void SortBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0,
                              int end = 8 * sizeof(Key));
    void SortDescendingBlockedToStriped(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key));
    void SortDescendingBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0,
                                        int end = 8 * sizeof(Key));
};

} // namespace cub
#pragma clang force_cuda_host_device end
