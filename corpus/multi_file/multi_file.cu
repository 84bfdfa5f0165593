// A program of two files and a header: launches by name, by function pointer and by
// cudaLaunchKernel of kernels that are defined elsewhere.
//
// usage: multi_file [elements]

#include "operations.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                 \
    do {                                                                            \
        cudaError_t e = (call);                                                     \
        if (e != cudaSuccess) {                                                     \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
            std::exit(1);                                                           \
        }                                                                           \
    } while (0)

static const int BLOCK = 128;

struct NamedKernel {
    const char *name;
    IntKernel kernel;
};

static const NamedKernel kernels[] = {
    {"difference_to_left", difference_to_left},
    {"distance_to_block_max", distance_to_block_max},
};

// What the two kernels of the table should give.
static int expected_by_name(int which, const std::vector<int> &in, int i)
{
    if (which == 0)
        return in[i] - (i > 0 ? in[i - 1] : 0);
    const int n = static_cast<int>(in.size());
    const int first = i / BLOCK * BLOCK;
    int largest = in[first];
    for (int k = first; k < n && k < first + BLOCK; ++k)
        largest = in[k] > largest ? in[k] : largest;
    return largest - in[i];
}

static int expected_operation(Operation operation, int x)
{
    int sum = 0;
    switch (operation) {
    case OP_NEGATE:
        return -x;
    case OP_HALVE_OR_TRIPLE:
        return x % 2 == 0 ? x / 2 : 3 * x;
    case OP_DIGIT_SUM:
        for (int rest = std::abs(x); rest > 0; rest /= 10)
            sum += rest % 10;
        return sum;
    case OP_STEPS_TO_ONE:
        return steps_to_one(x);
    default:
        return x;
    }
}

static long long checksum(const std::vector<int> &values)
{
    long long sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += static_cast<long long>(i % 17 + 1) * values[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    if (n < 1) {
        std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
        return 2;
    }

    std::vector<int> in(n), out(n);
    unsigned seed = 5u;
    for (int &x : in) {
        seed = seed * 1664525u + 1013904223u;
        x = static_cast<int>(seed >> 12) % 20001 - 5000;
    }

    int *d_in, *d_out;
    const std::size_t bytes = sizeof(int) * in.size();
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    float ms = 0.0f, part = 0.0f;
    int wrong = 0;
    const dim3 grid((n + BLOCK - 1) / BLOCK), block(BLOCK);

    // A kernel template from the header; nothing of it must be left at the end.
    fill<int><<<grid, block>>>(d_out, -1, in.size());
    CHECK(cudaGetLastError());

    // Through function pointers.
    for (int which = 0; which < 2; ++which) {
        IntKernel kernel = kernels[which].kernel;
        CHECK(cudaEventRecord(start));
        kernel<<<grid, block>>>(d_in, d_out, n);
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&part, start, stop));
        ms += part;
        CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; ++i)
            wrong += out[i] != expected_by_name(which, in, i);
        std::printf("%s %lld\n", kernels[which].name, checksum(out));
    }

    // Through cudaLaunchKernel, with the arguments as an array of addresses.
    for (int k = 0; k < OP_COUNT; ++k) {
        Operation operation = static_cast<Operation>(k);
        void *arguments[] = {&d_in, &d_out, &n, &operation};
        CHECK(cudaEventRecord(start));
        CHECK(cudaLaunchKernel((const void *)apply_operation, grid, block, arguments, 0, nullptr));
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&part, start, stop));
        ms += part;
        CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; ++i)
            wrong += out[i] != expected_operation(operation, in[i]);
        std::printf("operation %d %lld\n", k, checksum(out));
    }

    const unsigned long long handled = handled_elements();
    const bool pass = wrong == 0 && handled == 1ULL * OP_COUNT * in.size();
    std::printf("handled %llu\n", handled);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", ms);

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return pass ? 0 : 1;
}
