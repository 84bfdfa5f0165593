// CUB's operations of blocks and warps. Reductions give their result to the first thread, others
// get what they had.
#pragma once

#include "execution.hpp"
#include "warp.hpp"

#include <cstring>

namespace cub {

inline unsigned LaneId() { return static_cast<unsigned>(g2o_emulator::lane_id()); }
inline unsigned WarpId() { return g2o_emulator::current_thread->linear / 32; }

struct NullType {};

namespace emulated {

// Memory that may lie in a union whatever T is.
template <typename T, int N> struct Storage {
    alignas(T) unsigned char bytes[N * sizeof(T)];
    T get(int place) const {
        T value;
        std::memcpy(static_cast<void *>(&value), bytes + place * sizeof(T), sizeof(T));
        return value;
    }
    void put(int place, const T &value) {
        std::memcpy(bytes + place * sizeof(T), static_cast<const void *>(&value), sizeof(T));
    }
};

// What an operation without memory of the program's uses.
template <typename Storage> Storage &own_storage() {
    return g2o_emulator::shared_scope<Storage>();
}

inline int rank() { return int(g2o_emulator::current_thread->linear); }

struct Plus {
    template <typename T> T operator()(const T &a, const T &b) const { return T(a + b); }
};

// The prefix of `place`: of `count` values it combines those up to it, or in front of it.
template <typename T, typename Storage, typename Operation>
T prefix(const Storage &storage, int first, int end, Operation op) {
    T combined = storage.get(first);
    for (int i = first + 1; i < end; ++i)
        combined = op(combined, storage.get(i));
    return combined;
}

} // namespace emulated

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockReduce {
  public:
    using TempStorage = emulated::Storage<T, X * Y * Z>;

    BlockReduce() : values_(emulated::own_storage<TempStorage>()) {}
    explicit BlockReduce(TempStorage &storage) : values_(storage) {}
    T Sum(T value) { return Reduce(value, emulated::Plus()); }
    T Sum(T value, int count) { return Reduce(value, emulated::Plus(), count); }
    template <int N> T Sum(T (&values)[N]) { return Reduce(values, emulated::Plus()); }
    template <typename Operation> T Reduce(T value, Operation op) {
        return Reduce(value, op, X * Y * Z);
    }
    template <typename Operation> T Reduce(T value, Operation op, int count) {
        values_.put(emulated::rank(), value);
        __syncthreads();
        if (emulated::rank() == 0)
            value = emulated::prefix<T>(values_, 0, count, op);
        __syncthreads();
        return value;
    }
    template <int N, typename Operation> T Reduce(T (&values)[N], Operation op) {
        T own = values[N - 1];
        for (int i = N - 2; i >= 0; --i)
            own = op(values[i], own);
        return Reduce(own, op);
    }

  private:
    TempStorage &values_;
};

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockScan {
  public:
    using TempStorage = emulated::Storage<T, X * Y * Z>;

    BlockScan() : values_(emulated::own_storage<TempStorage>()) {}
    explicit BlockScan(TempStorage &storage) : values_(storage) {}

    // Items of a thread are combined first, then those of the threads in front of it.
    template <int N, typename Operation>
    void InclusiveScan(T (&values)[N], T (&results)[N], Operation op, T &total) {
        T own[N];
        const T *before = scan(values, own, op, total);
        for (int i = 0; i < N; ++i)
            results[i] = before ? op(*before, own[i]) : own[i];
    }
    template <int N, typename Operation>
    void ExclusiveScan(T (&values)[N], T (&results)[N], T initial, Operation op, T &total) {
        T own[N];
        const T *before = scan(values, own, op, total);
        T start = before ? op(initial, *before) : initial;
        for (int i = N - 1; i > 0; --i)
            results[i] = op(start, own[i - 1]);
        results[0] = start;
    }
    template <int N, typename Operation>
    void InclusiveScan(T (&values)[N], T (&results)[N], Operation op) {
        T total;
        InclusiveScan(values, results, op, total);
    }
    template <int N, typename Operation>
    void ExclusiveScan(T (&values)[N], T (&results)[N], T initial, Operation op) {
        T total;
        ExclusiveScan(values, results, initial, op, total);
    }
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op, T &total) {
        T own[1] = {value};
        InclusiveScan(own, own, op, total);
        result = own[0];
    }
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op) {
        T total;
        InclusiveScan(value, result, op, total);
    }
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op, T &total) {
        T own[1] = {value};
        ExclusiveScan(own, own, initial, op, total);
        result = own[0];
    }
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op) {
        T total;
        ExclusiveScan(value, result, initial, op, total);
    }
    template <typename V, typename R> void InclusiveSum(V &&value, R &&result) {
        InclusiveScan(value, result, emulated::Plus());
    }
    template <typename V, typename R> void InclusiveSum(V &&value, R &&result, T &total) {
        InclusiveScan(value, result, emulated::Plus(), total);
    }
    template <typename V, typename R> void ExclusiveSum(V &&value, R &&result) {
        ExclusiveScan(value, result, T(), emulated::Plus());
    }
    template <typename V, typename R> void ExclusiveSum(V &&value, R &&result, T &total) {
        ExclusiveScan(value, result, T(), emulated::Plus(), total);
    }

  private:
    // Leaves the inclusive prefixes of the thread's own items in `own`, and tells what stands in
    // front of them: null for the first thread.
    template <int N, typename Operation>
    const T *scan(const T (&values)[N], T (&own)[N], Operation op, T &total) {
        own[0] = values[0];
        for (int i = 1; i < N; ++i)
            own[i] = op(own[i - 1], values[i]);
        const int rank = emulated::rank();
        values_.put(rank, own[N - 1]);
        __syncthreads();
        total = emulated::prefix<T>(values_, 0, X * Y * Z, op);
        if (rank > 0)
            before_ = emulated::prefix<T>(values_, 0, rank, op);
        __syncthreads();
        return rank > 0 ? &before_ : nullptr;
    }

    TempStorage &values_;
    T before_;
};

template <typename T, int Lanes = 32, int Architecture = 0> class WarpReduce {
  public:
    using TempStorage = emulated::Storage<T, Lanes>;

    explicit WarpReduce(TempStorage &storage) : values_(storage) {}
    T Sum(T value) { return Reduce(value, emulated::Plus()); }
    T Sum(T value, int count) { return Reduce(value, emulated::Plus(), count); }
    template <typename Operation> T Reduce(T value, Operation op) {
        return Reduce(value, op, Lanes);
    }
    template <typename Operation> T Reduce(T value, Operation op, int count) {
        const int lane = g2o_emulator::lane_id() % Lanes;
        values_.put(lane, value);
        __syncwarp();
        if (lane == 0)
            value = emulated::prefix<T>(values_, 0, count, op);
        __syncwarp();
        return value;
    }

  private:
    TempStorage &values_;
};

template <typename T, int Lanes = 32, int Architecture = 0> class WarpScan {
  public:
    using TempStorage = emulated::Storage<T, Lanes>;

    explicit WarpScan(TempStorage &storage) : values_(storage) {}
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op, T &total) {
        const int lane = put(value);
        result = emulated::prefix<T>(values_, 0, lane + 1, op);
        total = emulated::prefix<T>(values_, 0, Lanes, op);
        __syncwarp();
    }
    template <typename Operation> void InclusiveScan(T value, T &result, Operation op) {
        T total;
        InclusiveScan(value, result, op, total);
    }
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op, T &total) {
        const int lane = put(value);
        result = lane == 0 ? initial : op(initial, emulated::prefix<T>(values_, 0, lane, op));
        total = emulated::prefix<T>(values_, 0, Lanes, op);
        __syncwarp();
    }
    template <typename Operation>
    void ExclusiveScan(T value, T &result, T initial, Operation op) {
        T total;
        ExclusiveScan(value, result, initial, op, total);
    }
    void InclusiveSum(T value, T &result) { InclusiveScan(value, result, emulated::Plus()); }
    void InclusiveSum(T value, T &result, T &total) {
        InclusiveScan(value, result, emulated::Plus(), total);
    }
    void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), emulated::Plus()); }
    void ExclusiveSum(T value, T &result, T &total) {
        ExclusiveScan(value, result, T(), emulated::Plus(), total);
    }
    T Broadcast(T value, unsigned lane) {
        put(value);
        const T result = values_.get(lane);
        __syncwarp();
        return result;
    }

  private:
    int put(T value) {
        const int lane = g2o_emulator::lane_id() % Lanes;
        values_.put(lane, value);
        __syncwarp();
        return lane;
    }

    TempStorage &values_;
};

// Both move items directly, whatever the algorithm; only its arrangement of them matters.
template <typename T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockLoad {
  public:
    struct TempStorage {};

    BlockLoad() = default;
    explicit BlockLoad(TempStorage &) {}
    template <typename In> void Load(In in, T (&items)[N]) { Load(in, items, X * Y * Z * N); }
    template <typename In> void Load(In in, T (&items)[N], int count) {
        for (int i = 0; i < N; ++i) {
            if (place(i) < count)
                items[i] = in[place(i)];
        }
    }
    template <typename In, typename Other> void Load(In in, T (&items)[N], int count, Other other) {
        for (T &item : items)
            item = other;
        Load(in, items, count);
    }

  private:
    static int place(int i) {
        const int thread = emulated::rank();
        return Algorithm == BLOCK_LOAD_STRIPED ? thread + i * (X * Y * Z) : thread * N + i;
    }
};

template <typename T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockStore {
  public:
    struct TempStorage {};

    BlockStore() = default;
    explicit BlockStore(TempStorage &) {}
    template <typename Out> void Store(Out out, T (&items)[N]) { Store(out, items, X * Y * Z * N); }
    template <typename Out> void Store(Out out, T (&items)[N], int count) {
        for (int i = 0; i < N; ++i) {
            const int thread = emulated::rank();
            const bool striped = Algorithm == BLOCK_STORE_STRIPED;
            const int place = striped ? thread + i * (X * Y * Z) : thread * N + i;
            if (place < count)
                out[place] = items[i];
        }
    }
};

template <typename T, int X, int N, bool TimeSliced = false, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockExchange {
  public:
    using TempStorage = emulated::Storage<T, X * Y * Z * N>;

    BlockExchange() : values_(emulated::own_storage<TempStorage>()) {}
    explicit BlockExchange(TempStorage &storage) : values_(storage) {}
    template <typename Out> void StripedToBlocked(const T (&items)[N], Out (&out)[N]) {
        move(items, out, striped, blocked);
    }
    template <typename Out> void BlockedToStriped(const T (&items)[N], Out (&out)[N]) {
        move(items, out, blocked, striped);
    }
    template <typename Out, typename Rank>
    void ScatterToBlocked(const T (&items)[N], Out (&out)[N], Rank (&ranks)[N]) {
        move(items, out, [&](int i) { return int(ranks[i]); }, blocked);
    }
    template <typename Out, typename Rank>
    void ScatterToStriped(const T (&items)[N], Out (&out)[N], Rank (&ranks)[N]) {
        move(items, out, [&](int i) { return int(ranks[i]); }, striped);
    }
    void StripedToBlocked(T (&items)[N]) { StripedToBlocked(items, items); }
    void BlockedToStriped(T (&items)[N]) { BlockedToStriped(items, items); }
    template <typename Rank> void ScatterToBlocked(T (&items)[N], Rank (&ranks)[N]) {
        ScatterToBlocked(items, items, ranks);
    }
    template <typename Rank> void ScatterToStriped(T (&items)[N], Rank (&ranks)[N]) {
        ScatterToStriped(items, items, ranks);
    }

  private:
    static int striped(int i) { return emulated::rank() + i * (X * Y * Z); }
    static int blocked(int i) { return emulated::rank() * N + i; }
    template <typename Out, typename From, typename To>
    void move(const T (&items)[N], Out (&out)[N], From from, To to) {
        for (int i = 0; i < N; ++i)
            values_.put(from(i), items[i]);
        __syncthreads();
        for (int i = 0; i < N; ++i)
            out[i] = values_.get(to(i));
        __syncthreads();
    }

    TempStorage &values_;
};

template <typename T, int X, int Y = 1, int Z = 1, int Architecture = 0>
class BlockAdjacentDifference {
  public:
    using TempStorage = emulated::Storage<T, X * Y * Z>;

    BlockAdjacentDifference() : edges_(emulated::own_storage<TempStorage>()) {}
    explicit BlockAdjacentDifference(TempStorage &storage) : edges_(storage) {}
    template <int N, typename Out, typename Op>
    void SubtractLeft(T (&items)[N], Out (&out)[N], Op op) {
        left(items, out, op, X * Y * Z * N, nullptr);
    }
    template <int N, typename Out, typename Op>
    void SubtractLeft(T (&items)[N], Out (&out)[N], Op op, T before) {
        left(items, out, op, X * Y * Z * N, &before);
    }
    template <int N, typename Out, typename Op>
    void SubtractRight(T (&items)[N], Out (&out)[N], Op op) {
        right(items, out, op, X * Y * Z * N, nullptr);
    }
    template <int N, typename Out, typename Op>
    void SubtractRight(T (&items)[N], Out (&out)[N], Op op, T behind) {
        right(items, out, op, X * Y * Z * N, &behind);
    }
    template <int N, typename Out, typename Op>
    void SubtractLeftPartialTile(T (&items)[N], Out (&out)[N], Op op, int count) {
        left(items, out, op, count, nullptr);
    }
    template <int N, typename Out, typename Op>
    void SubtractLeftPartialTile(T (&items)[N], Out (&out)[N], Op op, int count, T before) {
        left(items, out, op, count, &before);
    }
    template <int N, typename Out, typename Op>
    void SubtractRightPartialTile(T (&items)[N], Out (&out)[N], Op op, int count) {
        right(items, out, op, count, nullptr);
    }

  private:
    template <int N, typename Out, typename Op>
    void left(T (&items)[N], Out (&out)[N], Op op, int count, T *before) {
        const int thread = emulated::rank();
        edges_.put(thread, items[N - 1]);
        __syncthreads();
        T edge = thread > 0 ? edges_.get(thread - 1) : before != nullptr ? *before : items[0];
        for (int i = N - 1; i >= 0; --i) {
            T *other = i > 0 ? &items[i - 1] : thread > 0 || before != nullptr ? &edge : nullptr;
            const bool inside = thread * N + i < count && other != nullptr;
            out[i] = inside ? Out(op(items[i], *other)) : Out(items[i]);
        }
        __syncthreads();
    }
    template <int N, typename Out, typename Op>
    void right(T (&items)[N], Out (&out)[N], Op op, int count, T *behind) {
        const int thread = emulated::rank(), last = X * Y * Z - 1;
        edges_.put(thread, items[0]);
        __syncthreads();
        T edge = thread < last ? edges_.get(thread + 1) : behind != nullptr ? *behind : items[0];
        for (int i = 0; i < N; ++i) {
            const int limit = behind != nullptr ? count : count - 1;
            T *other = i + 1 < N ? &items[i + 1] : &edge;
            const bool inside = thread * N + i < limit;
            out[i] = inside ? Out(op(items[i], *other)) : Out(items[i]);
        }
        __syncthreads();
    }

    TempStorage &edges_;
};

// Every thread counts where its keys go.
template <typename Key, int X, int N, typename Value = NullType, int RadixBits = 4,
          bool Memoize = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1,
          int Architecture = 0>
class BlockRadixSort {
  public:
    static constexpr int Count = X * Y * Z * N;
    struct TempStorage {
        emulated::Storage<unsigned long long, Count> bits;
        emulated::Storage<Key, Count> keys;
        emulated::Storage<Value, Count> values;
    };

    BlockRadixSort() : memory_(emulated::own_storage<TempStorage>()) {}
    explicit BlockRadixSort(TempStorage &storage) : memory_(storage) {}
    void Sort(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key)) {
        sort(keys, none_, begin, end, false, false);
    }
    void Sort(Key (&keys)[N], Value (&values)[N], int begin = 0, int end = 8 * sizeof(Key)) {
        sort(keys, values, begin, end, false, false);
    }
    void SortDescending(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key)) {
        sort(keys, none_, begin, end, true, false);
    }
    void SortDescending(Key (&keys)[N], Value (&values)[N], int begin = 0,
                        int end = 8 * sizeof(Key)) {
        sort(keys, values, begin, end, true, false);
    }
    void SortBlockedToStriped(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key)) {
        sort(keys, none_, begin, end, false, true);
    }
    void SortBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0,
                              int end = 8 * sizeof(Key)) {
        sort(keys, values, begin, end, false, true);
    }
    void SortDescendingBlockedToStriped(Key (&keys)[N], int begin = 0, int end = 8 * sizeof(Key)) {
        sort(keys, none_, begin, end, true, true);
    }
    void SortDescendingBlockedToStriped(Key (&keys)[N], Value (&values)[N], int begin = 0,
                                        int end = 8 * sizeof(Key)) {
        sort(keys, values, begin, end, true, true);
    }

  private:
    // The bits that count, as numbers in the order of the keys.
    static unsigned long long digits(Key key, int begin, int end, bool descending) {
        constexpr int width = 8 * sizeof(Key);
        if (key == Key(0))
            key = Key(0); // as for -0.0
        unsigned long long bits = 0;
        std::memcpy(&bits, &key, sizeof(Key));
        const unsigned long long sign = 1ull << (width - 1);
        const unsigned long long all = sign | (sign - 1);
        if (Key(0.5) != Key(0))
            bits = bits & sign ? ~bits & all : bits ^ sign;
        else if (Key(-1) < Key(0))
            bits ^= sign;
        if (descending)
            bits = ~bits & all;
        bits >>= begin;
        return end - begin >= 64 ? bits : bits & ((1ull << (end - begin)) - 1);
    }
    template <typename V>
    void sort(Key (&keys)[N], V (&values)[N], int begin, int end, bool descending, bool striped) {
        const int thread = emulated::rank();
        for (int i = 0; i < N; ++i)
            memory_.bits.put(thread * N + i, digits(keys[i], begin, end, descending));
        __syncthreads();
        int places[N];
        for (int i = 0; i < N; ++i) {
            const unsigned long long own = memory_.bits.get(thread * N + i);
            places[i] = 0;
            for (int other = 0; other < Count; ++other) {
                const unsigned long long theirs = memory_.bits.get(other);
                places[i] += theirs < own || (theirs == own && other < thread * N + i);
            }
        }
        for (int i = 0; i < N; ++i) {
            memory_.keys.put(places[i], keys[i]);
            memory_.values.put(places[i], values[i]);
        }
        __syncthreads();
        for (int i = 0; i < N; ++i) {
            const int place = striped ? thread + i * (X * Y * Z) : thread * N + i;
            keys[i] = memory_.keys.get(place);
            values[i] = memory_.values.get(place);
        }
        __syncthreads();
    }

    TempStorage &memory_;
    Value none_[N];
};

} // namespace cub
