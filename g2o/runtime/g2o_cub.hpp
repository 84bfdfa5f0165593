// g2o_cub.hpp: what programs translated by g2o from CUDA use of CUB for the whole device, over
// g2o_thrust.hpp. The names are CUB's own.
//
// Every function is called twice, as in CUB: without temporary storage it only says how much it
// wants, which is never nothing here.
#ifndef G2O_CUB_HPP
#define G2O_CUB_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "g2o_runtime.hpp"
#include "g2o_thrust.hpp"

#define CUB_RUNTIME_FUNCTION
#define CubDebug(error) cub::Debug((error), __FILE__, __LINE__)
#define CubDebugExit(error)                                                                        \
    if (cub::Debug((error), __FILE__, __LINE__) != g2o::Success)                                   \
    std::exit(1)

namespace cub {
inline namespace g2o_openmp {

// Parameters of the templates of those who call what threads of a block do together.
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm {
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS,
};
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

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
    constexpr KeyValuePair(const Key &a, const Value &b) : key(a), value(b) {}
    constexpr bool operator!=(const KeyValuePair &other) const
    {
        return value != other.value || key != other.key;
    }
};

// Of equal values the one that comes first.
template <int N> struct PowerOfTwo {
    enum { VALUE = (N & (N - 1)) == 0 };
};
template <int N> struct Log2 { // rounded up
    enum { VALUE = N <= 1 ? 0 : 1 + Log2<(N <= 1 ? 1 : (N + 1) / 2)>::VALUE };
};
template <> struct Log2<1> {
    enum { VALUE = 0 };
};

template <typename T> void Swap(T &a, T &b)
{
    T c = a;
    a = b;
    b = c;
}

// How caches are used is left to them; what is volatile here, other threads may wait for.
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
typename std::iterator_traits<In>::value_type ThreadLoad(In place)
{
    using T = typename std::iterator_traits<In>::value_type;
    if constexpr ((modifier == LOAD_CV || modifier == LOAD_VOLATILE) && std::is_pointer_v<In>)
        return *static_cast<const volatile T *>(place);
    else
        return *place;
}
template <CacheStoreModifier modifier, typename Out, typename T>
void ThreadStore(Out place, T value)
{
    if constexpr (modifier == STORE_VOLATILE && std::is_pointer_v<Out>)
        *static_cast<volatile typename std::iterator_traits<Out>::value_type *>(place) = value;
    else
        *place = value;
}

struct ArgMax {
    template <typename Pair> constexpr Pair operator()(const Pair &a, const Pair &b) const
    {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename Pair> constexpr Pair operator()(const Pair &a, const Pair &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

template <typename T, typename = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <typename T, typename = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <typename T, typename Function, typename In, typename = std::ptrdiff_t>
using TransformInputIterator = thrust::transform_iterator<Function, In>;
using DiscardOutputIterator = thrust::discard_iterator;

// Values behind their places.
template <typename In, typename Offset = std::ptrdiff_t,
          typename T = typename std::iterator_traits<In>::value_type>
class ArgIndexInputIterator
    : public thrust::detail::IteratorBase<ArgIndexInputIterator<In, Offset, T>,
                                          KeyValuePair<Offset, T>, KeyValuePair<Offset, T>> {
  public:
    constexpr explicit ArgIndexInputIterator(In first, std::ptrdiff_t at = 0)
        : first_(first), at_(at)
    {
    }
    constexpr KeyValuePair<Offset, T> get() const { return {Offset(at_), T(first_[at_])}; }
    constexpr void move(std::ptrdiff_t n) { at_ += n; }
    constexpr std::ptrdiff_t minus(const ArgIndexInputIterator &other) const
    {
        return at_ - other.at_;
    }

  private:
    In first_;
    std::ptrdiff_t at_;
};

// Tells of an error where there is one, and gives it back.
inline g2o::Error Debug(g2o::Error error, const char *file, int line)
{
    if (error != g2o::Success)
        std::fprintf(stderr, "CUDA error %d [%s, %d]\n", int(error), file, line);
    return error;
}

// Two arrays, of which a sort tells which one has its result.
template <typename T> struct DoubleBuffer {
    T *d_buffers[2] = {nullptr, nullptr};
    int selector = 0;

    DoubleBuffer() = default;
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
    T *Current() const { return d_buffers[selector]; }
    T *Alternate() const { return d_buffers[selector ^ 1]; }
};

// Temporary storage by the program's own hand. Nothing is kept for later.
class CachingDeviceAllocator {
  public:
    explicit CachingDeviceAllocator(bool /*skip_cleanup*/ = false, bool /*debug*/ = false) {}
    CachingDeviceAllocator(unsigned /*growth*/, unsigned /*smallest*/, unsigned /*largest*/,
                           std::size_t /*kept_bytes*/, bool /*skip_cleanup*/ = false,
                           bool /*debug*/ = false)
    {
    }
    g2o::Error DeviceAllocate(void **pointer, std::size_t bytes, g2o::Stream = nullptr)
    {
        return g2o::malloc(pointer, bytes);
    }
    g2o::Error DeviceAllocate(int /*device*/, void **pointer, std::size_t bytes,
                              g2o::Stream = nullptr)
    {
        return g2o::malloc(pointer, bytes);
    }
    g2o::Error DeviceFree(void *pointer) { return g2o::free(pointer); }
    g2o::Error DeviceFree(int /*device*/, void *pointer) { return g2o::free(pointer); }
    g2o::Error FreeAllCached() { return g2o::Success; }
};

namespace detail {

// Whether the call only asks for the size of the temporary storage.
inline bool asks_for_size(const void *storage, std::size_t &bytes)
{
    if (storage == nullptr)
        bytes = 1;
    return storage == nullptr;
}

template <typename T> using Value = thrust::detail::Value<T>;
template <typename T> using IfNumber = std::enable_if_t<std::is_integral_v<T>, int>;

// Keys as unsigned numbers in the same order: 0.0 and -0.0 are the same, NaNs are at the ends.
template <typename Key> auto ordered_bits(Key key)
{
    if constexpr (std::is_floating_point_v<Key>) {
        using Bits = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
        constexpr Bits sign = Bits(1) << (8 * sizeof(Key) - 1);
        if (key == Key(0))
            key = Key(0);
        Bits bits;
        std::memcpy(&bits, &key, sizeof(key));
        return Bits(bits & sign ? ~bits : bits | sign);
    } else if constexpr (std::is_same_v<Key, bool>) {
        return static_cast<unsigned char>(key);
    } else {
        using Bits = std::make_unsigned_t<Key>;
        constexpr Bits sign = std::is_signed_v<Key> ? Bits(1) << (8 * sizeof(Key) - 1) : 0;
        return Bits(Bits(key) ^ sign);
    }
}

// Compares the bits [begin, end) of keys.
template <typename Key, bool Descending> struct InOrder {
    int begin, end;

    bool operator()(const Key &a, const Key &b) const
    {
        return Descending ? part(b) < part(a) : part(a) < part(b);
    }
    std::uint64_t part(const Key &key) const
    {
        const std::uint64_t bits = ordered_bits(key);
        const std::uint64_t mask = end >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << end) - 1;
        return (bits & mask) >> begin;
    }
};

template <bool Descending, typename Key>
void sort_keys(const Key *in, Key *out, std::ptrdiff_t count, int begin, int end)
{
    thrust::copy(thrust::device, in, in + count, out);
    thrust::sort(thrust::device, out, out + count, InOrder<Key, Descending>{begin, end});
}
template <bool Descending, typename Key, typename T>
void sort_pairs(const Key *in, Key *out, const T *values, T *values_out, std::ptrdiff_t count,
                int begin, int end)
{
    thrust::copy(thrust::device, in, in + count, out);
    thrust::copy(thrust::device, values, values + count, values_out);
    thrust::sort_by_key(thrust::device, out, out + count, values_out,
                        InOrder<Key, Descending>{begin, end});
}

} // namespace detail

// ---- Reductions --------------------------------------------------------------------------------

struct DeviceReduce {
    template <typename In, typename Out, typename Size, typename Operation, typename T>
    static g2o::Error Reduce(void *storage, std::size_t &bytes, In in, Out out, Size count,
                             Operation op, T init, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            *out = thrust::reduce(thrust::device, in, in + count, init, op);
        return g2o::Success;
    }
    template <typename In, typename Out, typename Size>
    static g2o::Error Sum(void *storage, std::size_t &bytes, In in, Out out, Size count,
                          g2o::Stream = nullptr, bool = false)
    {
        using T = std::decay_t<decltype(*in + *in)>;
        return Reduce(storage, bytes, in, out, count, thrust::plus<T>(), T());
    }
    template <typename In, typename Out, typename Size>
    static g2o::Error Min(void *storage, std::size_t &bytes, In in, Out out, Size count,
                          g2o::Stream = nullptr, bool = false)
    {
        using T = detail::Value<In>;
        return Reduce(storage, bytes, in, out, count, thrust::minimum<T>(),
                      std::numeric_limits<T>::max());
    }
    template <typename In, typename Out, typename Size>
    static g2o::Error Max(void *storage, std::size_t &bytes, In in, Out out, Size count,
                          g2o::Stream = nullptr, bool = false)
    {
        using T = detail::Value<In>;
        return Reduce(storage, bytes, in, out, count, thrust::maximum<T>(),
                      std::numeric_limits<T>::lowest());
    }
    template <typename In, typename Out, typename Size>
    static g2o::Error ArgMin(void *storage, std::size_t &bytes, In in, Out out, Size count,
                             g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes) && count > 0) {
            const auto at = thrust::min_element(thrust::device, in, in + count) - in;
            *out = {int(at), in[at]};
        }
        return g2o::Success;
    }
    template <typename In, typename Out, typename Size>
    static g2o::Error ArgMax(void *storage, std::size_t &bytes, In in, Out out, Size count,
                             g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes) && count > 0) {
            const auto at = thrust::max_element(thrust::device, in, in + count) - in;
            *out = {int(at), in[at]};
        }
        return g2o::Success;
    }
    template <typename In, typename Out, typename Size, typename Operation, typename Function,
              typename T>
    static g2o::Error TransformReduce(void *storage, std::size_t &bytes, In in, Out out, Size count,
                                      Operation op, Function function, T init,
                                      g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            *out = thrust::transform_reduce(thrust::device, in, in + count, function, init, op);
        return g2o::Success;
    }
    template <typename Keys, typename KeysOut, typename Values, typename ValuesOut, typename Runs,
              typename Operation, typename Size>
    static g2o::Error ReduceByKey(void *storage, std::size_t &bytes, Keys keys, KeysOut keys_out,
                                  Values values, ValuesOut values_out, Runs runs, Operation op,
                                  Size count, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            *runs = thrust::reduce_by_key(keys, keys + count, values, keys_out, values_out,
                                          thrust::equal_to<>(), op)
                        .first -
                    keys_out;
        return g2o::Success;
    }
};

struct DeviceSegmentedReduce {
    template <typename In, typename Out, typename Begins, typename Ends, typename Operation,
              typename T>
    static g2o::Error Reduce(void *storage, std::size_t &bytes, In in, Out out, int segments,
                             Begins begins, Ends ends, Operation op, T init, g2o::Stream = nullptr,
                             bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            for (int i = 0; i < segments; ++i)
                out[i] = thrust::reduce(thrust::device, in + begins[i], in + ends[i], init, op);
        }
        return g2o::Success;
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static g2o::Error Sum(void *storage, std::size_t &bytes, In in, Out out, int segments,
                          Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        using T = std::decay_t<decltype(*in + *in)>;
        return Reduce(storage, bytes, in, out, segments, begins, ends, thrust::plus<T>(), T());
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static g2o::Error Min(void *storage, std::size_t &bytes, In in, Out out, int segments,
                          Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        using T = detail::Value<In>;
        return Reduce(storage, bytes, in, out, segments, begins, ends, thrust::minimum<T>(),
                      std::numeric_limits<T>::max());
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static g2o::Error Max(void *storage, std::size_t &bytes, In in, Out out, int segments,
                          Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        using T = detail::Value<In>;
        return Reduce(storage, bytes, in, out, segments, begins, ends, thrust::maximum<T>(),
                      std::numeric_limits<T>::lowest());
    }
    // Places count from the beginning of the segment; an empty one has the place 1.
    template <typename In, typename Out, typename Begins, typename Ends>
    static g2o::Error ArgMin(void *storage, std::size_t &bytes, In in, Out out, int segments,
                             Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        using T = detail::Value<In>;
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i) {
            const auto first = in + begins[i], last = in + ends[i];
            const auto at = thrust::min_element(thrust::device, first, last);
            if (at == last)
                out[i] = {1, std::numeric_limits<T>::max()};
            else
                out[i] = {int(at - first), *at};
        }
        return g2o::Success;
    }
    template <typename In, typename Out, typename Begins, typename Ends>
    static g2o::Error ArgMax(void *storage, std::size_t &bytes, In in, Out out, int segments,
                             Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        using T = detail::Value<In>;
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i) {
            const auto first = in + begins[i], last = in + ends[i];
            const auto at = thrust::max_element(thrust::device, first, last);
            if (at == last)
                out[i] = {1, std::numeric_limits<T>::lowest()};
            else
                out[i] = {int(at - first), *at};
        }
        return g2o::Success;
    }
};

// ---- Scans -------------------------------------------------------------------------------------

struct DeviceScan {
    template <typename In, typename Out, typename Size, detail::IfNumber<Size> = 0>
    static g2o::Error InclusiveSum(void *storage, std::size_t &bytes, In in, Out out, Size count,
                                   g2o::Stream = nullptr, bool = false)
    {
        return InclusiveScan(storage, bytes, in, out, thrust::plus<>(), count);
    }
    template <typename In, typename Out, typename Size, detail::IfNumber<Size> = 0>
    static g2o::Error ExclusiveSum(void *storage, std::size_t &bytes, In in, Out out, Size count,
                                   g2o::Stream = nullptr, bool = false)
    {
        return ExclusiveScan(storage, bytes, in, out, thrust::plus<>(), detail::Value<In>(), count);
    }
    template <typename In, typename Out, typename Operation, typename Size,
              detail::IfNumber<Size> = 0>
    static g2o::Error InclusiveScan(void *storage, std::size_t &bytes, In in, Out out, Operation op,
                                    Size count, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::inclusive_scan(thrust::device, in, in + count, out, op);
        return g2o::Success;
    }
    template <typename In, typename Out, typename Operation, typename T, typename Size,
              detail::IfNumber<Size> = 0>
    static g2o::Error ExclusiveScan(void *storage, std::size_t &bytes, In in, Out out, Operation op,
                                    T init, Size count, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::exclusive_scan(thrust::device, in, in + count, out, init, op);
        return g2o::Success;
    }
    // The same in place.
    template <typename Data, typename Size, detail::IfNumber<Size> = 0>
    static g2o::Error InclusiveSum(void *storage, std::size_t &bytes, Data data, Size count,
                                   g2o::Stream = nullptr, bool = false)
    {
        return InclusiveSum(storage, bytes, data, data, count);
    }
    template <typename Data, typename Size, detail::IfNumber<Size> = 0>
    static g2o::Error ExclusiveSum(void *storage, std::size_t &bytes, Data data, Size count,
                                   g2o::Stream = nullptr, bool = false)
    {
        return ExclusiveSum(storage, bytes, data, data, count);
    }
    // Of runs of equal keys each one for itself.
    template <typename Keys, typename In, typename Out, typename Size,
              typename Equal = thrust::equal_to<>>
    static g2o::Error InclusiveSumByKey(void *storage, std::size_t &bytes, Keys keys, In in,
                                        Out out, Size count, Equal equal = Equal(),
                                        g2o::Stream = nullptr, bool = false)
    {
        return InclusiveScanByKey(storage, bytes, keys, in, out, thrust::plus<>(), count, equal);
    }
    template <typename Keys, typename In, typename Out, typename Size,
              typename Equal = thrust::equal_to<>>
    static g2o::Error ExclusiveSumByKey(void *storage, std::size_t &bytes, Keys keys, In in,
                                        Out out, Size count, Equal equal = Equal(),
                                        g2o::Stream = nullptr, bool = false)
    {
        return ExclusiveScanByKey(storage, bytes, keys, in, out, thrust::plus<>(),
                                  detail::Value<In>(), count, equal);
    }
    template <typename Keys, typename In, typename Out, typename Operation, typename Size,
              typename Equal = thrust::equal_to<>>
    static g2o::Error InclusiveScanByKey(void *storage, std::size_t &bytes, Keys keys, In in,
                                         Out out, Operation op, Size count, Equal equal = Equal(),
                                         g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::inclusive_scan_by_key(keys, keys + count, in, out, equal, op);
        return g2o::Success;
    }
    template <typename Keys, typename In, typename Out, typename Operation, typename T,
              typename Size, typename Equal = thrust::equal_to<>>
    static g2o::Error ExclusiveScanByKey(void *storage, std::size_t &bytes, Keys keys, In in,
                                         Out out, Operation op, T init, Size count,
                                         Equal equal = Equal(), g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::exclusive_scan_by_key(keys, keys + count, in, out, init, equal, op);
        return g2o::Success;
    }
};

// ---- Sorts -------------------------------------------------------------------------------------

struct DeviceRadixSort {
    template <typename Key>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, const Key *in, Key *out,
                               std::ptrdiff_t count, int begin = 0, int end = 8 * sizeof(Key),
                               g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            detail::sort_keys<false>(in, out, count, begin, end);
        return g2o::Success;
    }
    template <typename Key>
    static g2o::Error SortKeysDescending(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                         std::ptrdiff_t count, int begin = 0,
                                         int end = 8 * sizeof(Key), g2o::Stream = nullptr,
                                         bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            detail::sort_keys<true>(in, out, count, begin, end);
        return g2o::Success;
    }
    template <typename Key, typename T>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                const T *values, T *values_out, std::ptrdiff_t count, int begin = 0,
                                int end = 8 * sizeof(Key), g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            detail::sort_pairs<false>(in, out, values, values_out, count, begin, end);
        return g2o::Success;
    }
    template <typename Key, typename T>
    static g2o::Error
    SortPairsDescending(void *storage, std::size_t &bytes, const Key *in, Key *out, const T *values,
                        T *values_out, std::ptrdiff_t count, int begin = 0,
                        int end = 8 * sizeof(Key), g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            detail::sort_pairs<true>(in, out, values, values_out, count, begin, end);
        return g2o::Success;
    }
    // What stands in a buffer's other array afterwards is left open.
    template <typename Key>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                               std::ptrdiff_t count, int begin = 0, int end = 8 * sizeof(Key),
                               g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            detail::sort_keys<false>(keys.Current(), keys.Alternate(), count, begin, end);
            keys.selector ^= 1;
        }
        return g2o::Success;
    }
    template <typename Key, typename T>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                                DoubleBuffer<T> &values, std::ptrdiff_t count, int begin = 0,
                                int end = 8 * sizeof(Key), g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            detail::sort_pairs<false>(keys.Current(), keys.Alternate(), values.Current(),
                                      values.Alternate(), count, begin, end);
            keys.selector ^= 1;
            values.selector ^= 1;
        }
        return g2o::Success;
    }
    template <typename Key>
    static g2o::Error SortKeysDescending(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                                         std::ptrdiff_t count, int begin = 0,
                                         int end = 8 * sizeof(Key), g2o::Stream = nullptr,
                                         bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            detail::sort_keys<true>(keys.Current(), keys.Alternate(), count, begin, end);
            keys.selector ^= 1;
        }
        return g2o::Success;
    }
    template <typename Key, typename T>
    static g2o::Error
    SortPairsDescending(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                        DoubleBuffer<T> &values, std::ptrdiff_t count, int begin = 0,
                        int end = 8 * sizeof(Key), g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            detail::sort_pairs<true>(keys.Current(), keys.Alternate(), values.Current(),
                                     values.Alternate(), count, begin, end);
            keys.selector ^= 1;
            values.selector ^= 1;
        }
        return g2o::Success;
    }
};

// What stands outside of segments stays.
struct DeviceSegmentedRadixSort {
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, const Key *in, Key *out,
                               std::ptrdiff_t /*count*/, int segments, Begins begins, Ends ends,
                               int begin = 0, int end = 8 * sizeof(Key), g2o::Stream = nullptr,
                               bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_keys<false>(in + begins[i], out + begins[i], ends[i] - begins[i], begin,
                                     end);
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                const T *values, T *values_out, std::ptrdiff_t /*count*/,
                                int segments, Begins begins, Ends ends, int begin = 0,
                                int end = 8 * sizeof(Key), g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_pairs<false>(in + begins[i], out + begins[i], values + begins[i],
                                      values_out + begins[i], ends[i] - begins[i], begin, end);
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                               std::ptrdiff_t count, int segments, Begins begins, Ends ends,
                               int begin = 0, int end = 8 * sizeof(Key), g2o::Stream = nullptr,
                               bool = false)
    {
        SortKeys(storage, bytes, keys.Current(), keys.Alternate(), count, segments, begins, ends,
                 begin, end);
        keys.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                                DoubleBuffer<T> &values, std::ptrdiff_t count, int segments,
                                Begins begins, Ends ends, int begin = 0, int end = 8 * sizeof(Key),
                                g2o::Stream = nullptr, bool = false)
    {
        SortPairs(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                  values.Alternate(), count, segments, begins, ends, begin, end);
        keys.selector ^= storage != nullptr;
        values.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeysDescending(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                         std::ptrdiff_t /*count*/, int segments, Begins begins,
                                         Ends ends, int begin = 0, int end = 8 * sizeof(Key),
                                         g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_keys<true>(in + begins[i], out + begins[i], ends[i] - begins[i], begin,
                                    end);
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairsDescending(void *storage, std::size_t &bytes, const Key *in,
                                          Key *out, const T *values, T *values_out,
                                          std::ptrdiff_t /*count*/, int segments, Begins begins,
                                          Ends ends, int begin = 0, int end = 8 * sizeof(Key),
                                          g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_pairs<true>(in + begins[i], out + begins[i], values + begins[i],
                                     values_out + begins[i], ends[i] - begins[i], begin, end);
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeysDescending(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                                         std::ptrdiff_t count, int segments, Begins begins,
                                         Ends ends, int begin = 0, int end = 8 * sizeof(Key),
                                         g2o::Stream = nullptr, bool = false)
    {
        SortKeysDescending(storage, bytes, keys.Current(), keys.Alternate(), count, segments,
                           begins, ends, begin, end);
        keys.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairsDescending(void *storage, std::size_t &bytes,
                                          DoubleBuffer<Key> &keys, DoubleBuffer<T> &values,
                                          std::ptrdiff_t count, int segments, Begins begins,
                                          Ends ends, int begin = 0, int end = 8 * sizeof(Key),
                                          g2o::Stream = nullptr, bool = false)
    {
        SortPairsDescending(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                            values.Alternate(), count, segments, begins, ends, begin, end);
        keys.selector ^= storage != nullptr;
        values.selector ^= storage != nullptr;
        return g2o::Success;
    }
};

struct DeviceSegmentedSort {
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, const Key *in, Key *out,
                               std::ptrdiff_t /*count*/, int segments, Begins begins, Ends ends,
                               g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_keys<false>(in + begins[i], out + begins[i], ends[i] - begins[i], 0,
                                     8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                const T *values, T *values_out, std::ptrdiff_t /*count*/,
                                int segments, Begins begins, Ends ends, g2o::Stream = nullptr,
                                bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_pairs<false>(in + begins[i], out + begins[i], values + begins[i],
                                      values_out + begins[i], ends[i] - begins[i], 0,
                                      8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                               std::ptrdiff_t count, int segments, Begins begins, Ends ends,
                               g2o::Stream = nullptr, bool = false)
    {
        SortKeys(storage, bytes, keys.Current(), keys.Alternate(), count, segments, begins, ends);
        keys.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                                DoubleBuffer<T> &values, std::ptrdiff_t count, int segments,
                                Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        SortPairs(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                  values.Alternate(), count, segments, begins, ends);
        keys.selector ^= storage != nullptr;
        values.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeysDescending(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                         std::ptrdiff_t /*count*/, int segments, Begins begins,
                                         Ends ends, g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_keys<true>(in + begins[i], out + begins[i], ends[i] - begins[i], 0,
                                    8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairsDescending(void *storage, std::size_t &bytes, const Key *in,
                                          Key *out, const T *values, T *values_out,
                                          std::ptrdiff_t /*count*/, int segments, Begins begins,
                                          Ends ends, g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_pairs<true>(in + begins[i], out + begins[i], values + begins[i],
                                     values_out + begins[i], ends[i] - begins[i], 0,
                                     8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error SortKeysDescending(void *storage, std::size_t &bytes, DoubleBuffer<Key> &keys,
                                         std::ptrdiff_t count, int segments, Begins begins,
                                         Ends ends, g2o::Stream = nullptr, bool = false)
    {
        SortKeysDescending(storage, bytes, keys.Current(), keys.Alternate(), count, segments,
                           begins, ends);
        keys.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error SortPairsDescending(void *storage, std::size_t &bytes,
                                          DoubleBuffer<Key> &keys, DoubleBuffer<T> &values,
                                          std::ptrdiff_t count, int segments, Begins begins,
                                          Ends ends, g2o::Stream = nullptr, bool = false)
    {
        SortPairsDescending(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                            values.Alternate(), count, segments, begins, ends);
        keys.selector ^= storage != nullptr;
        values.selector ^= storage != nullptr;
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error StableSortKeys(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                     std::ptrdiff_t /*count*/, int segments, Begins begins,
                                     Ends ends, g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_keys<false>(in + begins[i], out + begins[i], ends[i] - begins[i], 0,
                                     8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error StableSortPairs(void *storage, std::size_t &bytes, const Key *in, Key *out,
                                      const T *values, T *values_out, std::ptrdiff_t /*count*/,
                                      int segments, Begins begins, Ends ends, g2o::Stream = nullptr,
                                      bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_pairs<false>(in + begins[i], out + begins[i], values + begins[i],
                                      values_out + begins[i], ends[i] - begins[i], 0,
                                      8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename Begins, typename Ends>
    static g2o::Error StableSortKeysDescending(void *storage, std::size_t &bytes, const Key *in,
                                               Key *out, std::ptrdiff_t /*count*/, int segments,
                                               Begins begins, Ends ends, g2o::Stream = nullptr,
                                               bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_keys<true>(in + begins[i], out + begins[i], ends[i] - begins[i], 0,
                                    8 * sizeof(Key));
        return g2o::Success;
    }
    template <typename Key, typename T, typename Begins, typename Ends>
    static g2o::Error StableSortPairsDescending(void *storage, std::size_t &bytes, const Key *in,
                                                Key *out, const T *values, T *values_out,
                                                std::ptrdiff_t /*count*/, int segments,
                                                Begins begins, Ends ends, g2o::Stream = nullptr,
                                                bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        for (int i = 0; i < segments; ++i)
            detail::sort_pairs<true>(in + begins[i], out + begins[i], values + begins[i],
                                     values_out + begins[i], ends[i] - begins[i], 0,
                                     8 * sizeof(Key));
        return g2o::Success;
    }
};

// By any order.
struct DeviceMergeSort {
    template <typename Keys, typename Size, typename Compare>
    static g2o::Error SortKeys(void *storage, std::size_t &bytes, Keys keys, Size count,
                               Compare compare, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::stable_sort(thrust::device, keys, keys + count, compare);
        return g2o::Success;
    }
    template <typename Keys, typename Size, typename Compare>
    static g2o::Error StableSortKeys(void *storage, std::size_t &bytes, Keys keys, Size count,
                                     Compare compare, g2o::Stream = nullptr, bool = false)
    {
        return SortKeys(storage, bytes, keys, count, compare);
    }
    template <typename In, typename Keys, typename Size, typename Compare>
    static g2o::Error SortKeysCopy(void *storage, std::size_t &bytes, In in, Keys keys, Size count,
                                   Compare compare, g2o::Stream = nullptr, bool = false)
    {
        if (storage != nullptr)
            thrust::copy(thrust::device, in, in + count, keys);
        return SortKeys(storage, bytes, keys, count, compare);
    }
    template <typename Keys, typename Values, typename Size, typename Compare>
    static g2o::Error SortPairs(void *storage, std::size_t &bytes, Keys keys, Values values,
                                Size count, Compare compare, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::stable_sort_by_key(thrust::device, keys, keys + count, values, compare);
        return g2o::Success;
    }
    template <typename Keys, typename Values, typename Size, typename Compare>
    static g2o::Error StableSortPairs(void *storage, std::size_t &bytes, Keys keys, Values values,
                                      Size count, Compare compare, g2o::Stream = nullptr,
                                      bool = false)
    {
        return SortPairs(storage, bytes, keys, values, count, compare);
    }
    template <typename In, typename ValuesIn, typename Keys, typename Values, typename Size,
              typename Compare>
    static g2o::Error SortPairsCopy(void *storage, std::size_t &bytes, In in, ValuesIn values_in,
                                    Keys keys, Values values, Size count, Compare compare,
                                    g2o::Stream = nullptr, bool = false)
    {
        if (storage != nullptr) {
            thrust::copy(thrust::device, in, in + count, keys);
            thrust::copy(thrust::device, values_in, values_in + count, values);
        }
        return SortPairs(storage, bytes, keys, values, count, compare);
    }
};

// ---- Selection and counting --------------------------------------------------------------------

struct DeviceSelect {
    template <typename In, typename Out, typename Selected, typename Predicate>
    static g2o::Error If(void *storage, std::size_t &bytes, In in, Out out, Selected selected,
                         std::ptrdiff_t count, Predicate predicate, g2o::Stream = nullptr,
                         bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            *selected = thrust::copy_if(in, in + count, out, predicate) - out;
        return g2o::Success;
    }
    template <typename In, typename Flags, typename Out, typename Selected>
    static g2o::Error Flagged(void *storage, std::size_t &bytes, In in, Flags flags, Out out,
                              Selected selected, std::ptrdiff_t count, g2o::Stream = nullptr,
                              bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            *selected = thrust::copy_if(in, in + count, flags, out, thrust::identity<>()) - out;
        return g2o::Success;
    }
    template <typename In, typename Out, typename Selected>
    static g2o::Error Unique(void *storage, std::size_t &bytes, In in, Out out, Selected selected,
                             std::ptrdiff_t count, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            *selected = thrust::unique_copy(in, in + count, out) - out;
        return g2o::Success;
    }
    template <typename Keys, typename Values, typename KeysOut, typename ValuesOut,
              typename Selected>
    static g2o::Error UniqueByKey(void *storage, std::size_t &bytes, Keys keys, Values values,
                                  KeysOut keys_out, ValuesOut values_out, Selected selected,
                                  std::ptrdiff_t count, g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        std::ptrdiff_t found = 0;
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            if (i > 0 && keys[i] == keys[i - 1])
                continue;
            keys_out[found] = keys[i];
            values_out[found++] = values[i];
        }
        *selected = found;
        return g2o::Success;
    }
};

// What is selected comes first, what is not last and backwards.
struct DevicePartition {
    template <typename In, typename Flags, typename Out, typename Selected>
    static g2o::Error Flagged(void *storage, std::size_t &bytes, In in, Flags flags, Out out,
                              Selected selected, std::ptrdiff_t count, g2o::Stream = nullptr,
                              bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        std::ptrdiff_t first = 0, last = count;
        for (std::ptrdiff_t i = 0; i < count; ++i)
            out[flags[i] ? first++ : --last] = in[i];
        *selected = first;
        return g2o::Success;
    }
    template <typename In, typename Out, typename Selected, typename Predicate>
    static g2o::Error If(void *storage, std::size_t &bytes, In in, Out out, Selected selected,
                         std::ptrdiff_t count, Predicate predicate, g2o::Stream = nullptr,
                         bool = false)
    {
        return Flagged(storage, bytes, in, thrust::make_transform_iterator(in, predicate), out,
                       selected, count);
    }
    // Two parts and the rest, each in order.
    template <typename In, typename First, typename Second, typename Rest, typename Selected,
              typename IsFirst, typename IsSecond,
              std::enable_if_t<std::is_invocable_v<IsFirst, detail::Value<In>>, int> = 0>
    static g2o::Error If(void *storage, std::size_t &bytes, In in, First first, Second second,
                         Rest rest, Selected selected, std::ptrdiff_t count, IsFirst is_first,
                         IsSecond is_second, g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        std::ptrdiff_t firsts = 0, seconds = 0, others = 0;
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            if (is_first(in[i]))
                first[firsts++] = in[i];
            else if (is_second(in[i]))
                second[seconds++] = in[i];
            else
                rest[others++] = in[i];
        }
        selected[0] = firsts;
        selected[1] = seconds;
        return g2o::Success;
    }
};

struct DeviceAdjacentDifference {
    template <typename In, typename Out, typename Size, typename Operation = thrust::minus<>>
    static g2o::Error SubtractLeftCopy(void *storage, std::size_t &bytes, In in, Out out,
                                       Size count, Operation op = Operation(),
                                       g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            for (std::ptrdiff_t i = count - 1; i >= 0; --i)
                out[i] = i == 0 ? in[i] : op(in[i], in[i - 1]);
        }
        return g2o::Success;
    }
    template <typename Data, typename Size, typename Operation = thrust::minus<>>
    static g2o::Error SubtractLeft(void *storage, std::size_t &bytes, Data data, Size count,
                                   Operation op = Operation(), g2o::Stream = nullptr, bool = false)
    {
        return SubtractLeftCopy(storage, bytes, data, data, count, op);
    }
    template <typename In, typename Out, typename Size, typename Operation = thrust::minus<>>
    static g2o::Error SubtractRightCopy(void *storage, std::size_t &bytes, In in, Out out,
                                        Size count, Operation op = Operation(),
                                        g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes)) {
            for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(count); ++i)
                out[i] = i + 1 == std::ptrdiff_t(count) ? in[i] : op(in[i], in[i + 1]);
        }
        return g2o::Success;
    }
    template <typename Data, typename Size, typename Operation = thrust::minus<>>
    static g2o::Error SubtractRight(void *storage, std::size_t &bytes, Data data, Size count,
                                    Operation op = Operation(), g2o::Stream = nullptr, bool = false)
    {
        return SubtractRightCopy(storage, bytes, data, data, count, op);
    }
};

// Called once, or, as the others, twice.
struct DeviceFor {
    template <typename Size, typename Function, detail::IfNumber<Size> = 0>
    static g2o::Error Bulk(Size count, Function function, g2o::Stream = nullptr)
    {
        const thrust::counting_iterator<Size> first(0);
        thrust::for_each(thrust::device, first, first + count, function);
        return g2o::Success;
    }
    template <typename In, typename Function>
    static g2o::Error ForEach(In first, In last, Function function, g2o::Stream = nullptr)
    {
        thrust::for_each(thrust::device, first, last, function);
        return g2o::Success;
    }
    template <typename In, typename Size, typename Function, detail::IfNumber<Size> = 0>
    static g2o::Error ForEachN(In first, Size count, Function function, g2o::Stream = nullptr)
    {
        return ForEach(first, first + count, function);
    }
    template <typename In, typename Function>
    static g2o::Error ForEachCopy(In first, In last, Function function, g2o::Stream = nullptr)
    {
        return ForEach(first, last, function);
    }
    template <typename Size, typename Function, detail::IfNumber<Size> = 0>
    static g2o::Error Bulk(void *storage, std::size_t &bytes, Size count, Function function,
                           g2o::Stream = nullptr)
    {
        return detail::asks_for_size(storage, bytes) ? g2o::Success : Bulk(count, function);
    }
    template <typename In, typename Function>
    static g2o::Error ForEach(void *storage, std::size_t &bytes, In first, In last,
                              Function function, g2o::Stream = nullptr)
    {
        return detail::asks_for_size(storage, bytes) ? g2o::Success
                                                     : ForEach(first, last, function);
    }
    template <typename In, typename Size, typename Function, detail::IfNumber<Size> = 0>
    static g2o::Error ForEachN(void *storage, std::size_t &bytes, In first, Size count,
                               Function function, g2o::Stream = nullptr)
    {
        return detail::asks_for_size(storage, bytes) ? g2o::Success
                                                     : ForEachN(first, count, function);
    }
};

struct DeviceRunLengthEncode {
    // Of runs of more than one element.
    template <typename In, typename Offsets, typename Lengths, typename Runs>
    static g2o::Error NonTrivialRuns(void *storage, std::size_t &bytes, In in, Offsets offsets,
                                     Lengths lengths, Runs runs, std::ptrdiff_t count,
                                     g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        std::ptrdiff_t found = 0;
        for (std::ptrdiff_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && in[end] == in[i];)
                ++end;
            if (end - i > 1) {
                offsets[found] = i;
                lengths[found++] = end - i;
            }
        }
        *runs = found;
        return g2o::Success;
    }
    template <typename In, typename Out, typename Lengths, typename Runs>
    static g2o::Error Encode(void *storage, std::size_t &bytes, In in, Out out, Lengths lengths,
                             Runs runs, std::ptrdiff_t count, g2o::Stream = nullptr, bool = false)
    {
        const thrust::constant_iterator<detail::Value<Lengths>> one(1);
        if (!detail::asks_for_size(storage, bytes))
            *runs = thrust::reduce_by_key(in, in + count, one, out, lengths).first - out;
        return g2o::Success;
    }
};

struct DeviceHistogram {
    // Bins between levels that follow each other.
    template <typename In, typename Count, typename Level>
    static g2o::Error HistogramRange(void *storage, std::size_t &bytes, In in, Count *histogram,
                                     int levels, const Level *bounds, std::ptrdiff_t count,
                                     g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        std::fill(histogram, histogram + levels - 1, Count());
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const Level sample = static_cast<Level>(in[i]);
            const auto bin = std::upper_bound(bounds, bounds + levels, sample) - bounds - 1;
            if (bin >= 0 && bin < levels - 1)
                ++histogram[bin];
        }
        return g2o::Success;
    }
    // Bins of one width over [lower, upper); samples outside are not counted.
    template <typename In, typename Count, typename Level>
    static g2o::Error HistogramEven(void *storage, std::size_t &bytes, In in, Count *histogram,
                                    int levels, Level lower, Level upper, std::ptrdiff_t count,
                                    g2o::Stream = nullptr, bool = false)
    {
        if (detail::asks_for_size(storage, bytes))
            return g2o::Success;
        const int bins = levels - 1;
        std::fill(histogram, histogram + bins, Count());
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const Level sample = static_cast<Level>(in[i]);
            if (!(sample >= lower && sample < upper))
                continue;
            int bin;
            if constexpr (std::is_integral_v<Level>)
                bin = int(std::uint64_t(sample - lower) * std::uint64_t(bins) /
                          std::uint64_t(upper - lower));
            else
                bin = int((sample - lower) * (Level(bins) / (upper - lower)));
            ++histogram[std::min(bin, bins - 1)];
        }
        return g2o::Success;
    }
};

} // namespace g2o_openmp
} // namespace cub

// ---- Sorts of what the threads of a block have -------------------------------------------------

namespace g2o {

// Keys by their bits [begin, end).
template <typename Key>
void sort_keys(Key *keys, int count, int begin = 0, int end = 8 * sizeof(Key))
{
    std::stable_sort(keys, keys + count, cub::detail::InOrder<Key, false>{begin, end});
}
template <typename Key>
void sort_keys_descending(Key *keys, int count, int begin = 0, int end = 8 * sizeof(Key))
{
    std::stable_sort(keys, keys + count, cub::detail::InOrder<Key, true>{begin, end});
}
template <typename Key, typename T>
void sort_pairs(Key *keys, T *values, int count, int begin = 0, int end = 8 * sizeof(Key))
{
    thrust::stable_sort_by_key(thrust::seq, keys, keys + count, values,
                               cub::detail::InOrder<Key, false>{begin, end});
}
template <typename Key, typename T>
void sort_pairs_descending(Key *keys, T *values, int count, int begin = 0,
                           int end = 8 * sizeof(Key))
{
    thrust::stable_sort_by_key(thrust::seq, keys, keys + count, values,
                               cub::detail::InOrder<Key, true>{begin, end});
}

} // namespace g2o

} // extern "C++"

#endif
