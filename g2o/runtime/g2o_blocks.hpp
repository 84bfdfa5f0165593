// g2o_blocks.hpp: memory of blocks, and what is asked of arrays, for kernels that became loops.
#ifndef G2O_BLOCKS_HPP
#define G2O_BLOCKS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "g2o_atomics.hpp"
#include "g2o_runtime.hpp"

// A program's macros of these names are not meant for what follows.
#pragma push_macro("T")
#undef T
#pragma push_macro("U")
#undef U

namespace g2o {

namespace detail {

// Where one element of an array of threads' variables lies: room for objects of a class without a
// constructor for no arguments, which threads put there before they use them.
template <class T, bool = std::is_default_constructible_v<std::remove_all_extents_t<T>>>
struct Place {
    T value;
};
template <class T> struct Place<T, false> {
    static_assert(std::is_trivially_copyable_v<std::remove_all_extents_t<T>>,
                  "cannot be kept over a barrier");
    Place() {}
    union {
        T value;
    };
};

} // namespace detail

// ---- arrays of a block --------------------------------------------------------------------------

#ifdef G2O_OFFLOAD

// Memory of a team is sized when the program is compiled, or for dynamic shared memory when the
// kernel is launched: nothing is allocated on the device's heap.

namespace detail {

constexpr std::size_t most_threads = 1024; // in a block, as with CUDA

} // namespace detail

#ifdef G2O_GPU
// Every thread of a block may call it.
extern "C" [[omp::assume("ompx_spmd_amenable")]] void *llvm_omp_target_dynamic_shared_alloc(void);
#endif

namespace types {

// What an array of `bytes` takes of the memory that a launch asks for (G2O_DYNAMIC_SHARED).
constexpr std::size_t padded(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

// Shared memory of one block, sized in bytes when the kernel is launched; the first array of a block,
// or behind another one. Used as the array it was: buf[t], &buf[n], buf + n, (float4 *)buf.
template <class T> class shared_array {
  public:
#ifdef G2O_GPU
    explicit shared_array(std::size_t bytes)
        : data_(static_cast<T *>(llvm_omp_target_dynamic_shared_alloc())), bytes_(bytes)
    {
    }
    template <class Array>
    shared_array(std::size_t bytes, const Array &before)
        : data_(static_cast<T *>(before.end())), bytes_(bytes)
    {
    }
    void *end() const { return reinterpret_cast<char *>(data_) + padded(bytes_); }
#else
    explicit shared_array([[maybe_unused]] std::size_t bytes) { assert(bytes <= sizeof memory_); }
    template <class Array> shared_array(std::size_t bytes, const Array &) : shared_array(bytes) {}
#endif
    operator T *() { return data_; }
    template <class U> explicit operator U *() { return reinterpret_cast<U *>(data_); }
    T *data() { return data_; }

    shared_array(const shared_array &) = delete;
    shared_array &operator=(const shared_array &) = delete;

  private:
#ifdef G2O_GPU
    T *data_;
    std::size_t bytes_;
#else
    alignas(128) unsigned char memory_[256 * 1024]; // no device of today has more
    T *data_ = reinterpret_cast<T *>(memory_);
#endif
};

// One value per thread of a block, for a variable that lives across a barrier: sum[t].
// thread_array<T[N]> has an array per thread: sum[t][k].
template <class T> class thread_array {
  public:
#ifdef G2O_GPU
    explicit thread_array(std::size_t /*threads*/) {}
#else
    explicit thread_array(std::size_t threads) : values_(new detail::Place<T>[threads]) {}
#endif
    operator T *() { return data(); }
    T *data() { return &values_[0].value; }

    thread_array(const thread_array &) = delete;
    thread_array &operator=(const thread_array &) = delete;

  private:
#ifdef G2O_GPU
    detail::Place<T> values_[detail::most_threads];
#else
    std::unique_ptr<detail::Place<T>[]> values_; // a stack is too small for arrays of a thousand threads
#endif
};

// The same in the memory that a launch asks for, which is as large as its blocks need it.
#ifdef G2O_GPU
template <class T> class block_array {
  public:
    explicit block_array(std::size_t threads)
        : block_array(threads, llvm_omp_target_dynamic_shared_alloc())
    {
    }
    template <class Array>
    block_array(std::size_t threads, const Array &before) : block_array(threads, before.end())
    {
    }
    operator T *() const { return data_; }
    T *data() const { return data_; }
    void *end() const { return reinterpret_cast<char *>(data_) + padded(threads_ * sizeof(T)); }

    block_array(const block_array &) = delete;
    block_array &operator=(const block_array &) = delete;

  private:
    block_array(std::size_t threads, void *memory)
        : data_(static_cast<T *>(memory)), threads_(threads)
    {
        if constexpr (!std::is_trivially_default_constructible_v<detail::Place<T>>)
            for (std::size_t t = 0; t < threads; ++t)
                new (static_cast<void *>(&data_[t])) detail::Place<T>;
    }

    T *data_;
    std::size_t threads_;
};
#else
template <class T> class block_array : public thread_array<T> {
  public:
    using thread_array<T>::thread_array;
    template <class Array>
    block_array(std::size_t threads, const Array &) : thread_array<T>(threads)
    {
    }
};
#endif

// One value per thread of a grid, for a variable that lives across a synchronisation of the grid:
// memory of the device, which the host only holds.
template <class T> class grid_array {
  public:
    explicit grid_array(std::size_t threads)
    {
        if (detail::allocate(&data_, threads * sizeof(T)) != Success)
            std::abort();
    }
    grid_array(std::size_t threads, int value) : grid_array(threads)
    {
        memset(data_, value, threads * sizeof(T));
    }
    ~grid_array() { detail::release(data_); }

    T *data() const { return data_; }

    grid_array(const grid_array &) = delete;
    grid_array &operator=(const grid_array &) = delete;

  private:
    T *data_;
};

// How many teams of a launch work at a time where each of them has a slice of memory: enough for
// every device of today.
inline int most_teams(std::size_t blocks)
{
    return int(std::min(std::max(blocks, std::size_t(1)), std::size_t(4096)));
}

// Which of them the current one is.
inline int team() { return omp_get_team_num(); }

// The slice of a team, as new for every block.
template <class T> T &slice(T *slices, int number) { return *new (&slices[number]) T; }

} // namespace types

#else

namespace detail {

constexpr std::size_t arena_alignment = 128; // bytes: two cache lines, as prefetchers pair them

// A thread's stack of memory for the arrays of the block it executes. It only ever grows, and goes
// with the thread, so that a block costs no allocation once the largest one was seen.
class Arena {
  public:
    // Where the stack ended before something was taken.
    struct Mark {
        std::size_t chunk;
        std::size_t used;
    };

    Mark mark() const { return {current_, chunks_.empty() ? 0 : chunks_[current_].used}; }

    void *take(std::size_t bytes)
    {
        bytes = round_up(bytes, arena_alignment);
        if (chunks_.empty() || chunks_[current_].size - chunks_[current_].used < bytes)
            advance(bytes);
        Chunk &chunk = chunks_[current_];
        void *memory = chunk.memory.get() + chunk.used;
        chunk.used += bytes;
        return memory;
    }

    // Returns everything taken since `mark`.
    void release(Mark mark)
    {
        chunks_[current_].used = 0;
        current_ = mark.chunk;
        chunks_[current_].used = mark.used;
    }

  private:
    struct Release {
        void operator()(char *memory) const
        {
            ::operator delete[](memory, std::align_val_t(arena_alignment));
        }
    };

    struct Chunk {
        std::unique_ptr<char[], Release> memory;
        std::size_t size;
        std::size_t used;
    };

    static Chunk make_chunk(std::size_t bytes)
    {
        const std::size_t size = std::max(bytes, std::size_t(256 * 1024));
        void *memory = ::operator new[](size, std::align_val_t(arena_alignment));
        return {std::unique_ptr<char[], Release>(static_cast<char *>(memory)), size, 0};
    }

    // Makes the next chunk, which is empty, the current one; replaces it if it is too small.
    void advance(std::size_t bytes)
    {
        const std::size_t next =
            chunks_.empty() || chunks_[current_].used == 0 ? current_ : current_ + 1;
        if (next == chunks_.size())
            chunks_.push_back(make_chunk(bytes));
        else if (chunks_[next].size < bytes)
            chunks_[next] = make_chunk(bytes);
        current_ = next;
    }

    std::vector<Chunk> chunks_;
    std::size_t current_ = 0;
};

inline Arena &arena()
{
    thread_local Arena memory;
    return memory;
}

} // namespace detail

namespace types {

// A piece of the arena for the life of one variable. Converts to a pointer as an array does.
template <class T> class ArenaArray {
  public:
    operator T *() const { return data_; }
    template <class U> explicit operator U *() const { return reinterpret_cast<U *>(data_); }
    T *data() const { return data_; }

    ArenaArray(const ArenaArray &) = delete;
    ArenaArray &operator=(const ArenaArray &) = delete;

  protected:
    explicit ArenaArray(std::size_t bytes)
        : mark_(detail::arena().mark()), data_(static_cast<T *>(detail::arena().take(bytes)))
    {
        static_assert(alignof(T) <= detail::arena_alignment, "over-aligned element");
    }
    ~ArenaArray() { detail::arena().release(mark_); }

  private:
    detail::Arena::Mark mark_;
    T *data_;
};

// Shared memory of one block, sized in bytes when the kernel is launched. As with CUDA it holds
// nothing at first; shared_array(bytes, 0) is cleared.
// Used as the array it was: buf[t], &buf[n], buf + n, (float4 *)buf.
template <class T> class shared_array : public ArenaArray<T> {
  public:
    explicit shared_array(std::size_t bytes) : ArenaArray<T>(bytes) {}
    shared_array(std::size_t bytes, int value) : ArenaArray<T>(bytes)
    {
        std::memset(static_cast<void *>(this->data()), value, bytes);
    }
    template <class Array> shared_array(std::size_t bytes, const Array &) : shared_array(bytes) {}
};

// One value per thread of a block, for a variable that lives across a barrier: sum[t].
// thread_array<T[N]> has an array per thread: sum[t][k]. Like the variable it stands for, the
// values of types without a constructor are not initialised; thread_array(threads, value) copies.
template <class T> class thread_array : public ArenaArray<T> {
    using Element = std::remove_all_extents_t<T>;

  public:
    explicit thread_array(std::size_t threads)
        : ArenaArray<T>(threads * sizeof(T)), elements_(threads * sizeof(T) / sizeof(Element))
    {
        if constexpr (std::is_default_constructible_v<Element>)
            std::uninitialized_default_construct_n(first(), elements_);
        else // threads put objects here before they use them
            static_assert(sizeof(detail::Place<T>) == sizeof(T));
    }
    thread_array(std::size_t threads, const T &value)
        : ArenaArray<T>(threads * sizeof(T)), elements_(threads)
    {
        std::uninitialized_fill_n(first(), threads, value);
    }
    ~thread_array() { std::destroy_n(first(), elements_); }

  private:
    Element *first() const { return reinterpret_cast<Element *>(this->data()); }

    std::size_t elements_;
};

// The same in a source for CPUs and devices; devices have it behind another array.
template <class T> class block_array : public thread_array<T> {
  public:
    using thread_array<T>::thread_array;
    template <class Array>
    block_array(std::size_t threads, const Array &) : thread_array<T>(threads)
    {
    }
};

// One value per thread of a grid, for a variable that lives across a synchronisation of the grid.
template <class T> class grid_array {
  public:
    explicit grid_array(std::size_t threads) : values_(new detail::Place<T>[threads]) {}
    grid_array(std::size_t threads, int value) : grid_array(threads)
    {
        std::memset(static_cast<void *>(data()), value, threads * sizeof(T));
    }

    operator T *() const { return data(); }
    T *data() const { return &values_[0].value; }

  private:
    std::unique_ptr<detail::Place<T>[]> values_;
};

// In a source for CPUs and devices: a CPU has a slice for every thread of OpenMP.
inline int most_teams(std::size_t)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

inline int team()
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

// The slice of a thread, as new for every block.
template <class T> T &slice(T *slices, int number)
{
    slices[number].~T();
    return *new (&slices[number]) T;
}

// What one thread of OpenMP adds to the first `count` elements of an array; it gets there when the
// thread is done: sums[k] += value.
template <class T> class partial_sums {
  public:
    partial_sums(T *array, std::ptrdiff_t count)
        : array_(array), values_(std::max(count, std::ptrdiff_t(0)))
    {
    }
    ~partial_sums()
    {
        for (std::size_t k = 0; k < values_.size(); ++k) {
            if (values_[k] != T(0)) // elements that nobody adds to may not be there
                atomic_add(&array_[k], values_[k]);
        }
    }

    T &operator[](std::size_t k) { return values_[k]; }

    partial_sums(const partial_sums &) = delete;
    partial_sums &operator=(const partial_sums &) = delete;

  private:
    T *array_;
    std::vector<T> values_;
};

} // namespace types

#endif

// Whether other arrays begin where one does, or have no element among its first `count` and it none
// among theirs: iterations that have elements of their own do not meet there.
template <class T, class... Others>
bool apart(std::ptrdiff_t count, const T *array, const Others *...others)
{
    const auto begin = reinterpret_cast<std::uintptr_t>(array);
    const auto is_apart = [&](const void *pointer) {
        const auto other = reinterpret_cast<std::uintptr_t>(pointer);
        const auto distance = begin > other ? begin - other : other - begin;
        return distance == 0 || count <= 0 || distance >= count * sizeof(T);
    };
    return (is_apart(others) && ...);
}

} // namespace g2o

#pragma pop_macro("T")
#pragma pop_macro("U")

} // extern "C++"

#endif // G2O_BLOCKS_HPP
