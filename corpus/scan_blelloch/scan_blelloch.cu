// Exclusive prefix sums after Blelloch: an up-sweep builds partial sums in a balanced tree, a
// down-sweep turns them into prefixes. Each block scans 2 * THREADS elements; the block totals are
// scanned by the same kernel and added back.
//
// usage: scan_blelloch [elements [repetitions]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define THREADS 256
#define SECTION (2 * THREADS)

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

__global__ void scan_section(const int *in, int *out, int *totals, int n)
{
    __shared__ int tree[SECTION];
    int t = threadIdx.x;
    int base = blockIdx.x * SECTION;

    // Every thread brings two elements, those past the end count as zero.
    tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;

    // Up-sweep: inner nodes become the sums over their subtrees.
    int offset = 1;
    for (int d = SECTION / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1;
            int right = offset * (2 * t + 2) - 1;
            tree[right] += tree[left];
        }
        offset *= 2;
    }

    // The root holds the total; it is set to the identity for the way down.
    if (t == 0) {
        totals[blockIdx.x] = tree[SECTION - 1];
        tree[SECTION - 1] = 0;
    }

    // Down-sweep: a left child gets what its parent has, a right child that plus the left sum.
    for (int d = 1; d < SECTION; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1;
            int right = offset * (2 * t + 2) - 1;
            int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();

    if (base + 2 * t < n)
        out[base + 2 * t] = tree[2 * t];
    if (base + 2 * t + 1 < n)
        out[base + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void add_section_prefix(int *data, const int *prefixes, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int prefix = prefixes[blockIdx.x];
    if (i < n)
        data[i] += prefix;
    if (i + THREADS < n)
        data[i + THREADS] += prefix;
}

static int sections(int n)
{
    return (n + SECTION - 1) / SECTION;
}

// Scans n elements; `scratch` has room for the totals of all levels, see scratch_size.
static void exclusive_scan(const int *in, int *out, int *scratch, int n)
{
    const int blocks = sections(n);
    int *totals = scratch;
    int *prefixes = scratch + blocks;
    scan_section<<<blocks, THREADS>>>(in, out, totals, n);
    CHECK(cudaGetLastError());
    if (blocks == 1)
        return;
    exclusive_scan(totals, prefixes, prefixes + blocks, blocks);
    add_section_prefix<<<blocks, THREADS>>>(out, prefixes, n);
    CHECK(cudaGetLastError());
}

static int scratch_size(int n)
{
    const int blocks = sections(n);
    return blocks == 1 ? 2 : 2 * blocks + scratch_size(blocks);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10007;
    const int repetitions = argc > 2 ? atoi(argv[2]) : 1;

    std::vector<int> in(n), out(n);
    unsigned state = 8u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        in[i] = static_cast<int>(state >> 28) - 4;
    }

    int *d_in, *d_out, *d_scratch;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_scratch, scratch_size(n) * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    for (int r = 0; r < repetitions; ++r)
        exclusive_scan(d_in, d_out, d_scratch, n);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = 0.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));

    int running = 0, mismatches = 0;
    unsigned hash = 0u;
    for (int i = 0; i < n; ++i) {
        mismatches += out[i] != running;
        running += in[i];
        hash = hash * 31u + static_cast<unsigned>(out[i]);
    }

    printf("time_ms %.3f\n", milliseconds);
    printf("last prefix %d\n", out[n - 1]);
    printf("hash %08x\n", hash);
    printf("%s\n", mismatches == 0 ? "PASS" : "FAIL");

    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_scratch));
    return mismatches == 0 ? 0 : 1;
}
