// g2o_cub.hpp: what programs translated by g2o from CUDA use of CUB for the whole device, over
// g2o_thrust.hpp. The names are CUB's own.
//
// Every function is called twice, as in CUB: without temporary storage it only says how much it
// wants, which is never nothing here.
#ifndef G2O_CUB_HPP
#define G2O_CUB_HPP

#include <cstdint>
#include <cstring>
#include <limits>

#include "g2o_runtime.hpp"
#include "g2o_thrust.hpp"

#define CUB_RUNTIME_FUNCTION

namespace cub {
inline namespace g2o_openmp {

using Sum = thrust::plus<>;
using Difference = thrust::minus<>;
using Division = thrust::divides<>;
using Max = thrust::maximum<>;
using Min = thrust::minimum<>;
using Equality = thrust::equal_to<>;
using Inequality = thrust::not_equal_to<>;

template <typename Key, typename Value> struct KeyValuePair {
    Key key;
    Value value;
};

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
    template <typename In, typename Out, typename Begins, typename Ends>
    static g2o::Error Sum(void *storage, std::size_t &bytes, In in, Out out, int segments,
                          Begins begins, Ends ends, g2o::Stream = nullptr, bool = false)
    {
        using T = std::decay_t<decltype(*in + *in)>;
        if (!detail::asks_for_size(storage, bytes)) {
            for (int i = 0; i < segments; ++i)
                out[i] = thrust::reduce(thrust::device, in + begins[i], in + ends[i], T());
        }
        return g2o::Success;
    }
};

// ---- Scans -------------------------------------------------------------------------------------

struct DeviceScan {
    template <typename In, typename Out, typename Size>
    static g2o::Error InclusiveSum(void *storage, std::size_t &bytes, In in, Out out, Size count,
                                   g2o::Stream = nullptr, bool = false)
    {
        return InclusiveScan(storage, bytes, in, out, thrust::plus<>(), count);
    }
    template <typename In, typename Out, typename Size>
    static g2o::Error ExclusiveSum(void *storage, std::size_t &bytes, In in, Out out, Size count,
                                   g2o::Stream = nullptr, bool = false)
    {
        return ExclusiveScan(storage, bytes, in, out, thrust::plus<>(), detail::Value<In>(), count);
    }
    template <typename In, typename Out, typename Operation, typename Size>
    static g2o::Error InclusiveScan(void *storage, std::size_t &bytes, In in, Out out, Operation op,
                                    Size count, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::inclusive_scan(thrust::device, in, in + count, out, op);
        return g2o::Success;
    }
    template <typename In, typename Out, typename Operation, typename T, typename Size>
    static g2o::Error ExclusiveScan(void *storage, std::size_t &bytes, In in, Out out, Operation op,
                                    T init, Size count, g2o::Stream = nullptr, bool = false)
    {
        if (!detail::asks_for_size(storage, bytes))
            thrust::exclusive_scan(thrust::device, in, in + count, out, init, op);
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
};

struct DeviceRunLengthEncode {
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

#endif
