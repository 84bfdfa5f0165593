// g2o_tapes.hpp: what derivatives keep: tapes and winners.
#ifndef G2O_TAPES_HPP
#define G2O_TAPES_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <utility>
#include <vector>

#include "g2o_blocks.hpp"
#include "g2o_runtime.hpp"

#ifdef G2O_OFFLOAD
#include "g2o_devices.hpp"
#endif

// A program's macros of these names are not meant for what follows.
#pragma push_macro("D")
#undef D
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U
#pragma push_macro("V")
#undef V

namespace g2o {

#ifdef G2O_OFFLOAD

namespace detail {

// The memory of the device that the tapes of a launch grow in, handed out from its beginning.
constexpr std::size_t tape_bytes = 512; // of a piece

struct TapePool {
    char *memory;
    std::size_t bytes;
    std::size_t used;
};

#pragma omp declare target
inline TapePool tape_pool = {nullptr, 0, 0};

// A piece of it, or null where there is none left.
inline void *take_for_tape(std::size_t bytes)
{
    const std::size_t begin = __atomic_fetch_add(&tape_pool.used, bytes, __ATOMIC_RELAXED);
    return begin + bytes <= tape_pool.bytes ? tape_pool.memory + begin : nullptr;
}
#pragma omp end declare target

} // namespace detail

namespace types {

// Values in pieces of the memory for tapes; for the threads of a block, whose memory is small.
template <class T> class ChunkTape {
    struct Chunk {
        static constexpr std::size_t room = detail::tape_bytes - 16;

        Chunk *before;
        T values[std::max(room / sizeof(T), std::size_t(1))];
    };
    static constexpr int chunk_values = int(sizeof(Chunk::values) / sizeof(T));

  public:
    void push(const T &value)
    {
        const int place = size_++ % chunk_values;
        if (place == 0)
            advance();
        if (last_ != nullptr)
            last_->values[place] = value;
    }

    T pop()
    {
        const int place = --size_ % chunk_values;
        if (last_ == nullptr) // the launch fails
            return T{};
        const T value = last_->values[place];
        if (place == 0) {
            spare_ = last_;
            last_ = last_->before;
        }
        return value;
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return std::size_t(size_); }

  private:
    void advance()
    {
        Chunk *next = spare_;
        spare_ = nullptr;
        if (next == nullptr)
            next = static_cast<Chunk *>(detail::take_for_tape((sizeof(Chunk) + 15) / 16 * 16));
        if (next != nullptr)
            next->before = last_;
        last_ = next;
    }

    Chunk *last_ = nullptr, *spare_ = nullptr;
    int size_ = 0;
};

// What a forward sweep records and the reverse sweep reads back, last in first out. The first few
// values are a part of the tape itself.
template <class T> class Tape {
    static constexpr int own_values = 16;

  public:
    void push(const T &value)
    {
        if (size_ < own_values)
            own_[size_] = value;
        else
            more_.push(value);
        ++size_;
    }

    T pop() { return --size_ < own_values ? own_[size_] : more_.pop(); }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return std::size_t(size_); }

  private:
    T own_[own_values];
    ChunkTape<T> more_;
    int size_ = 0;
};

// Memory of the device for the tapes of one launch, of which every thread has `tapes`: a piece for
// each of them, but 256 MiB at least and as much as LimitMallocHeapSize was set to. A launch that
// needs more ends the program, for its derivatives would be wrong.
class TapeMemory {
  public:
    TapeMemory(const dim3 &grid, const dim3 &block, std::size_t tapes)
    {
        const std::size_t threads =
            std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
        const std::size_t least = std::max(std::size_t(detail::device_limits()[LimitMallocHeapSize]),
                                           std::size_t(256) << 20);
        pool_.bytes = std::max(least, threads * tapes * detail::tape_bytes);
        while (detail::allocate(&pool_.memory, pool_.bytes) != Success)
            pool_.bytes /= 2; // perhaps not all threads fill their pieces
        detail::copy_bytes(detail::symbol_address(detail::tape_pool), &pool_, sizeof pool_,
                           MemcpyHostToDevice);
    }

    ~TapeMemory()
    {
        detail::copy_bytes(&pool_, detail::symbol_address(detail::tape_pool), sizeof pool_,
                           MemcpyDeviceToHost);
        if (pool_.used > pool_.bytes) {
            std::fprintf(stderr,
                         "g2o: the tapes of a launch take %zu bytes, LimitMallocHeapSize is %zu\n",
                         pool_.used, pool_.bytes);
            std::abort();
        }
        detail::release(pool_.memory);
    }

    TapeMemory(const TapeMemory &) = delete;
    TapeMemory &operator=(const TapeMemory &) = delete;

  private:
    detail::TapePool pool_ = {nullptr, 0, 0};
};

} // namespace types

#else

namespace types {

// What a forward sweep records and the reverse sweep reads back, last in first out. Its memory
// serves the next tape of the same OpenMP thread.
template <class T> class Tape {
  public:
    Tape()
    {
        if (std::vector<std::vector<T>> &spare = spares(); !spare.empty()) {
            values_.swap(spare.back());
            spare.pop_back();
        }
    }
    Tape(const Tape &) = delete;
    Tape &operator=(const Tape &) = delete;
    ~Tape()
    {
        values_.clear();
        spares().push_back(std::move(values_));
    }

    void push(const T &value) { values_.push_back(value); }

    T pop()
    {
        assert(!values_.empty());
        T value = std::move(values_.back());
        values_.pop_back();
        return value;
    }

    bool empty() const { return values_.empty(); }
    std::size_t size() const { return values_.size(); }
    void reserve(std::size_t count) { values_.reserve(count); }

  private:
    static std::vector<std::vector<T>> &spares()
    {
        static thread_local std::vector<std::vector<T>> vectors;
        return vectors;
    }

    std::vector<T> values_;
};

template <class T> using ChunkTape = Tape<T>; // in a source for CPUs and devices

// On a CPU tapes have no memory that would have to be there before.
class TapeMemory {
  public:
    TapeMemory(const dim3 &, const dim3 &, std::size_t) {}
    ~TapeMemory() {}
};

// One thread's own copy of an array that all threads add to, from 0. It is added to the array when
// it goes: elements that nothing was added to are left alone, they need not exist. Its elements
// consist of numbers of type Number.
template <class T, class Number = T> class PrivateSums {
  public:
    PrivateSums(T *array, std::ptrdiff_t count)
        : array_(array), sums_(count > 0 ? std::size_t(count) : 0)
    {
        std::fill_n(reinterpret_cast<Number *>(sums_.data()), numbers(), Number());
    }
    PrivateSums(const PrivateSums &) = delete;
    PrivateSums &operator=(const PrivateSums &) = delete;
    ~PrivateSums()
    {
        const std::size_t count = numbers();
        Number *const to = reinterpret_cast<Number *>(array_);
        const Number *const from = reinterpret_cast<const Number *>(sums_.data());
#pragma omp critical(g2o_private_sums)
        for (std::size_t k = 0; k < count; ++k)
            if (from[k] != Number())
                to[k] += from[k];
    }

    T &operator[](std::ptrdiff_t k) { return sums_[std::size_t(k)]; }

  private:
    std::size_t numbers() const { return sums_.size() * (sizeof(T) / sizeof(Number)); }

    T *array_;
    std::vector<T> sums_;
};

} // namespace types

#endif

namespace types {

// Which thread of a launch has put the minimum or maximum of a place there. Of equal numbers that
// of the first thread stays, of its own the last one; the number that was there before stays only
// where it is better than all others. So the winner does not depend on who came first.
//
// An operation gives its turn: holds() says of it, when all threads are done, whether it has won.
// With a shadow, the winner's tangent goes there.
class Winners {
  public:
    Winners() = default;
    Winners(const Winners &) = delete;
    Winners &operator=(const Winners &) = delete;

    template <class T, class U> unsigned atomic_min(T *address, U value, std::size_t thread)
    {
        return put(address, T(value), thread, [](T one, T other) { return one < other; }, [] {});
    }

    template <class T, class U, class D, class V>
    unsigned atomic_min(T *address, U value, std::size_t thread, D *shadow, V tangent)
    {
        return put(address, T(value), thread, [](T one, T other) { return one < other; },
                   [=] { *shadow = D(tangent); });
    }

    template <class T, class U> unsigned atomic_max(T *address, U value, std::size_t thread)
    {
        return put(address, T(value), thread, [](T one, T other) { return other < one; }, [] {});
    }

    template <class T, class U, class D, class V>
    unsigned atomic_max(T *address, U value, std::size_t thread, D *shadow, V tangent)
    {
        return put(address, T(value), thread, [](T one, T other) { return other < one; },
                   [=] { *shadow = D(tangent); });
    }

    // The order is that of the bits, as integers of type Bits.
    template <class Bits, class T, class U, class... Tangent>
    unsigned atomic_min_as(T *address, U value, std::size_t thread, Tangent... tangent)
    {
        return put(address, T(value), thread, by_bits<Bits, T>, set(tangent...));
    }

    template <class Bits, class T, class U, class... Tangent>
    unsigned atomic_max_as(T *address, U value, std::size_t thread, Tangent... tangent)
    {
        return put(address, T(value), thread,
                   [](T one, T other) { return by_bits<Bits, T>(other, one); }, set(tangent...));
    }

    bool holds(unsigned turn) const
    {
        return turn != 0 && places_.find(addresses_[turn - 1])->second.turn == turn;
    }

  private:
    struct Place {
        std::size_t thread;
        unsigned turn;
    };

    template <class Bits, class T> static bool by_bits(T one, T other)
    {
        return detail::same_bits<Bits>(one) < detail::same_bits<Bits>(other);
    }

    static auto set()
    {
        return [] {};
    }

    template <class D, class V> static auto set(D *shadow, V tangent)
    {
        return [=] { *shadow = D(tangent); };
    }

    template <class T, class Better, class Won>
    unsigned put(T *address, T value, std::size_t thread, Better better, Won won)
    {
        T old;
        __atomic_load(address, &old, __ATOMIC_RELAXED);
        if (!better(value, old) && better(old, value))
            return 0;
        unsigned turn = 0;
#pragma omp critical(g2o_winners)
        {
            __atomic_load(address, &old, __ATOMIC_RELAXED);
            const bool equal = value == old && !better(value, old) && !better(old, value);
            const auto found = places_.find(address);
            const bool first = found == places_.end() || thread <= found->second.thread;
            if (better(value, old) || (equal && first)) {
                addresses_.push_back(address);
                turn = unsigned(addresses_.size());
                places_[address] = {thread, turn};
                __atomic_store(address, &value, __ATOMIC_RELAXED);
                won();
            }
        }
        return turn;
    }

    std::vector<const void *> addresses_; // of each turn that was the best so far
    std::unordered_map<const void *, Place> places_;
};

} // namespace types

} // namespace g2o

#pragma pop_macro("D")
#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")

} // extern "C++"

#endif // G2O_TAPES_HPP
