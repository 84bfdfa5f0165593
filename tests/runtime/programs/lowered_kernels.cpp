// What lowered kernels use: block arrays, tapes, atomics, warp lanes.
#define Real double // programs have such macros, and may have them in front
#include "check.hpp"
#include "g2o_runtime.hpp"
#include "g2o_math.hpp"
#include "g2o_atomics.hpp"
#include "g2o_blocks.hpp"
#include "g2o_tapes.hpp"
#include "g2o_warps.hpp"

// Sums that wrap around in the middle of a loop count from below 0, others from where they are.
static_assert(g2o::start_of(5, 10) == 5, "");
static_assert(g2o::start_of(-1, 10) == -1, "");
static_assert(g2o::start_of(0u - 5u, 5, 100) == -5, "");
static_assert(g2o::start_of(0u - 5u, 3, 5) == 4294967291ll, "");
static_assert(g2o::start_of(0u - 1000u, 1000) == 4294966296ll, "");
static_assert(g2o::start_of(0u - 1000u, 1001) == -1000, "");
static_assert(g2o::start_of(7, 0) == 7, "");

// Runs end at edges, which are runs themselves, and at the end.
static_assert(g2o::run_to_edge(0, 9, {0, 4}) == 1, "");
static_assert(g2o::run_to_edge(1, 9, {7, 0, 4}) == 4, "");
static_assert(g2o::run_to_edge(4, 9, {0, 4, 5}) == 5, "");
static_assert(g2o::run_to_edge(5, 9, {0, 4, 9, 20}) == 9, "");
static_assert(g2o::run_within(0, 9, 0, 5) == 1, "");
static_assert(g2o::run_within(1, 9, 0, 5) == 5, "");
static_assert(g2o::run_within(5, 9, 0, 5) == 6, "");
static_assert(g2o::run_within(3, 9, 5, 2) == 4, "");
static_assert(g2o::run_within(3, 4, -9, INT_MAX) == 4, "");
static_assert(g2o::run_above(2, 9, 1) == 9, "");
static_assert(g2o::run_above(1, 9, 1) == 2, "");
static_assert(g2o::run_below(2, 9, 3) == 3, "");
static_assert(g2o::run_below(3, 9, 3) == 4, "");

// As long as a quotient stays the same, which is 0 on both sides of 0.
constexpr bool runs_of_quotient(int divisor)
{
    for (int value = -25; value < 25; ++value) {
        int end = value + 1;
        while (end < 30 && end / divisor == value / divisor)
            ++end;
        if (g2o::run_of_quotient(value, 30, value, divisor) != end)
            return false;
    }
    return true;
}
static_assert(runs_of_quotient(1) && runs_of_quotient(2) && runs_of_quotient(7), "");
static_assert(runs_of_quotient(100), "");
static_assert(g2o::run_of_quotient(3, 9, 3, 0) == 4, "");
static_assert(g2o::run_of_quotient(3, 9, -5, INT_MAX) == 9, "");

// As long as what a mask leaves grows with the value.
constexpr bool runs_of_mask(int mask)
{
    for (int value = -40; value < 40; ++value) {
        int end = value + 1;
        while (end < 60 && (end & mask) == (value & mask) + end - value)
            ++end;
        const int found = g2o::run_of_mask(value, 60, value, mask);
        if (found <= value || found > end)
            return false;
    }
    return true;
}
static_assert(runs_of_mask(0) && runs_of_mask(1) && runs_of_mask(7) && runs_of_mask(31), "");
static_assert(runs_of_mask(6) && runs_of_mask(11) && runs_of_mask(-1) && runs_of_mask(-4), "");
static_assert(g2o::run_of_mask(8, 60, 8, 7) == 16 && g2o::run_of_mask(5, 60, 5, -1) == 60, "");

// A tree reduction per block, as the translator writes it.
static void block_sum(dim3 grid, dim3 block, std::size_t shared_bytes, const float *in,
                      float *partial, int n)
{
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        g2o::shared_array<float> buf(shared_bytes, 0);
#pragma omp simd
        for (int t = 0; t < int(block.x); ++t) {
            int i = bx * block.x + t;
            buf[t] += (i < n) ? in[i] : 0.0f;
        }
        for (int s = block.x / 2; s > 0; s >>= 1) {
#pragma omp simd
            for (int t = 0; t < s; ++t)
                buf[t] += buf[t + s];
        }
        partial[bx] = buf[0];
    }
}

static void block_arrays()
{
    std::vector<float> in(1000, 1.0f), partial(8);
    for (int repetition = 0; repetition < 3; ++repetition) // the second time on used memory
        block_sum(8, 128, 128 * sizeof(float), in.data(), partial.data(), 1000);
    CHECK(partial[0] == 128 && partial[6] == 128 && partial[7] == 1000 - 7 * 128);

    g2o::shared_array<int> outer(100 * sizeof(int), 0);
    CHECK(reinterpret_cast<std::uintptr_t>(outer.data()) % 128 == 0);
    outer[99] = 7;
    int *first_inner;
    {
        g2o::shared_array<char> huge(1 << 20), more(1 << 20, 0);
        huge[(1 << 20) - 1] = 1;
        more[0] = huge[0];
        CHECK(more[0] == 0);
        g2o::shared_array<int> inner(4, 0);
        first_inner = inner;
        CHECK(inner[0] == 0);
        inner[0] = 5;
    }
    {
        g2o::shared_array<char> huge(1 << 20), more(1 << 20, 0);
        g2o::shared_array<int> inner(4, 0);
        CHECK(inner.data() == first_inner && inner[0] == 0); // the same memory, cleared
    }
    CHECK(outer[99] == 7 && *(outer + 99) == 7 && *&outer[99] == 7 && outer[0] == 0);
    float4 *vectors = (float4 *)outer;
    char *bytes = reinterpret_cast<char *>(outer.data());
    CHECK((void *)vectors == (void *)bytes);
    int *pointer = outer + 1;
    CHECK(pointer == &outer[1] && outer != nullptr);
    memset(outer, 1, 4);
    CHECK(outer[0] == 0x01010101);
}

struct Counted {
    static inline int alive = 0;
    int value = 3;
    Counted() { ++alive; }
    ~Counted() { --alive; }
};

static void thread_arrays()
{
    g2o::thread_array<float[8]> sums(64);
    for (int t = 0; t < 64; ++t) {
        for (int k = 0; k < 8; ++k)
            sums[t][k] = float(8 * t + k);
    }
    CHECK(sums[63][7] == 511 && (&sums[1][0] - &sums[0][0]) == 8);
    {
        g2o::thread_array<Counted> objects(5);
        g2o::thread_array<Counted[2]> pairs(5);
        CHECK(Counted::alive == 15 && objects[4].value == 3 && pairs[4][1].value == 3);
    }
    CHECK(Counted::alive == 0);
    g2o::grid_array<double> wide(100000);
    g2o::grid_array<int[4]> quads(10);
    wide[99999] = 1;
    quads[9][3] = 2;
    CHECK(wide[99999] == 1 && (&quads[9][3] - &quads[0][0]) == 39);
}

static void tapes()
{
    g2o::Tape<int> strides;
    strides.reserve(4);
    for (int s = 8; s > 0; s >>= 1)
        strides.push(s);
    CHECK(strides.size() == 4 && strides.pop() == 1 && strides.pop() == 2 && !strides.empty());
    g2o::Tape<bool> branches;
    branches.push(true);
    branches.push(false);
    CHECK(!branches.pop() && branches.pop() && branches.empty());
}

static void atomics()
{
    const int n = 20000;
    int count = 0, least = n, bits = 0;
    unsigned turns = 0, parity = 0;
    unsigned long long wide = 0, largest = 0;
    float sum = 0;
    double total = 0;
    volatile float flagged = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; ++i) {
        g2o::atomic_add(&count, 1);
        g2o::atomic_add(&wide, 3);
        g2o::atomic_add(&sum, 1);
        g2o::atomic_add(&total, 0.5);
        g2o::atomic_add(&flagged, 1.0);
        g2o::atomic_min(&least, i);
        g2o::atomic_max(&largest, i);
        g2o::atomic_or(&bits, 1 << i % 31);
        g2o::atomic_xor(&parity, 1u);
        g2o::atomic_inc(&turns, 6u);
    }
    CHECK(count == n && wide == 3ull * n && sum == n && total == n / 2 && flagged == n);
    CHECK(least == 0 && largest == n - 1 && bits == 0x7fffffff && parity == 0);
    CHECK(turns == n % 7);

    int i = 5;
    CHECK(g2o::atomic_add(&i, 2) == 5 && g2o::atomic_sub(&i, 1) == 7 && i == 6);
    CHECK(g2o::atomic_exch(&i, 9) == 6 && g2o::atomic_cas(&i, 9, 4) == 9 && i == 4);
    CHECK(g2o::atomic_cas(&i, 9, 1) == 4 && i == 4);
    CHECK(g2o::atomic_and(&i, 6) == 4 && g2o::atomic_max(&i, -1) == 4 && i == 4);
    unsigned u = 0;
    CHECK(g2o::atomic_dec(&u, 3u) == 0 && u == 3 && g2o::atomic_dec(&u, 3u) == 3 && u == 2);
    CHECK(g2o::atomic_inc(&u, 2u) == 2 && u == 0);
    CHECK(g2o::atomic_sub(&u, 1) == 0 && u == 0xffffffffu);
    float f = 1.5f;
    CHECK(g2o::atomic_exch(&f, 2.0) == 1.5f && g2o::atomic_min(&f, 1.0f) == 2 && f == 1);
    unsigned short s = 1;
    CHECK(g2o::atomic_cas(&s, 1, 2) == 1 && s == 2);
    float2 pair = {1, 2};
    CHECK(g2o::atomic_add(&pair, make_float2(1, 1)).y == 2 && pair.x == 2 && pair.y == 3);

    // A lock of compare-and-swap and exchange guards plain data.
    int lock = 0, guarded = 0;
#pragma omp parallel num_threads(4)
    for (int k = 0; k < 1000; ++k) {
        while (g2o::atomic_cas(&lock, 0, 1) != 0) {
        }
        ++guarded;
        g2o::threadfence();
        g2o::atomic_exch(&lock, 0);
    }
#ifdef _OPENMP
    CHECK(guarded == 4000);
#else
    CHECK(guarded == 1000);
#endif
}

static void lanes()
{
    CHECK(g2o::lane_of(37) == 5 && g2o::warp_of(37) == 1 && g2o::warp_size == 32);
    CHECK(g2o::shfl_lane(9, 3) == 3 && g2o::shfl_lane(9, 3, 8) == 11 && g2o::shfl_lane(0, 33) == 1);
    CHECK(g2o::shfl_lane(5, -1) == 31);
    CHECK(g2o::shfl_up_lane(9, 2) == 7 && g2o::shfl_up_lane(9, 2, 8) == 9);
    CHECK(g2o::shfl_up_lane(10, 2, 8) == 8 && g2o::shfl_up_lane(1, 2) == 1);
    CHECK(g2o::shfl_down_lane(29, 2) == 31 && g2o::shfl_down_lane(30, 2) == 30);
    CHECK(g2o::shfl_down_lane(6, 2, 8) == 6 && g2o::shfl_down_lane(5, 2, 8) == 7);
    CHECK(g2o::shfl_xor_lane(5, 1) == 4 && g2o::shfl_xor_lane(5, 16) == 21);
    CHECK(g2o::shfl_xor_lane(3, 8, 8) == 3 && g2o::shfl_xor_lane(11, 8, 8) == 3);
    bool odd[32];
    int values[32];
    for (int lane = 0; lane < 32; ++lane) {
        odd[lane] = lane % 2;
        values[lane] = lane - 10;
    }
    CHECK(g2o::ballot(odd) == 0xaaaaaaaau && g2o::ballot(values, 11) == 0x3ffu);
    CHECK(g2o::any(odd) && !g2o::any(odd, 1) && !g2o::all(odd) && g2o::all(values, 10));
    CHECK(g2o::match_any(odd, 0, 8) == 0x55u);
    CHECK(g2o::reduce_add(values) == 176 && g2o::reduce_min(values) == -10);
    CHECK(g2o::reduce_max(values, 20) == 9 && g2o::reduce_and(values + 11, 3) == 0);
    CHECK(g2o::reduce_or(values + 11, 3) == 3 && g2o::reduce_xor(values + 11, 3) == 0);
}

int main()
{
    block_arrays();
    thread_arrays();
    tapes();
    atomics();
    lanes();
    return finish();
}
