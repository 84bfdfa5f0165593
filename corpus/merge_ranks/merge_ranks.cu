// Merge sort by ranks: in each pass a thread finds by binary search where its element goes among
// the elements of the neighbouring run, and puts it there. Stable, two buffers.
//
// usage: merge_ranks [elements]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

struct Item {
    int key;
    int position;  // in the input; must stay ascending among equal keys
};

static void cuda_check(cudaError_t status, const char *file, int line)
{
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s(%d): %s\n", file, line, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}
#define CUDA_CHECK(status) cuda_check(status, __FILE__, __LINE__)

// Number of items in items[0, count) that come before `key`. Items with an equal key come before
// it when `with_equal` is set.
__device__ int rank_of(int key, const Item *items, int count, bool with_equal)
{
    int low = 0;
    int high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int other = items[middle].key;
        if (other < key || (with_equal && other == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Runs of `width` sorted items become runs of 2 * width sorted items.
__global__ void merge_pass(const Item *__restrict__ in, Item *__restrict__ out, int n, int width)
{
    const int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i >= n)
        return;

    const Item item = in[i];
    const int pair_begin = i / (2 * width) * (2 * width);
    const int middle = min(pair_begin + width, n);
    const int pair_end = min(pair_begin + 2 * width, n);

    int target;
    if (i < middle) {
        // Left run: its items go before equal items of the right run.
        target = i + rank_of(item.key, in + middle, pair_end - middle, false);
    } else {
        target = pair_begin + (i - middle) +
                 rank_of(item.key, in + pair_begin, middle - pair_begin, true);
    }
    out[target] = item;
}

int main(int argc, char **argv)
{
    const int n = (argc > 1) ? atoi(argv[1]) : 5000;
    const size_t bytes = n * sizeof(Item);

    std::vector<Item> items(n);
    unsigned state = 1234567u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        items[i].key = static_cast<int>(state >> 12) % 4001 - 2000;
        items[i].position = i;
    }

    Item *source, *target;
    CUDA_CHECK(cudaMalloc((void **)&source, bytes));
    CUDA_CHECK(cudaMalloc((void **)&target, bytes));
    CUDA_CHECK(cudaMemcpy(source, items.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    const int block = 192;
    for (int width = 1; width < n; width *= 2) {
        merge_pass<<<(n + block - 1) / block, block>>>(source, target, n, width);
        std::swap(source, target);
    }
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaGetLastError());
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));

    std::vector<Item> sorted(n);
    CUDA_CHECK(cudaMemcpy(sorted.data(), source, bytes, cudaMemcpyDeviceToHost));
    std::stable_sort(items.begin(), items.end(),
                     [](const Item &a, const Item &b) { return a.key < b.key; });

    bool ok = true;
    long long order = 0;
    for (int i = 0; i < n; ++i) {
        ok = ok && sorted[i].key == items[i].key && sorted[i].position == items[i].position;
        order += static_cast<long long>(i) * sorted[i].position % 10007;
    }

    printf("time_ms %.3f\n", ms);
    printf("keys %d %d %d\n", sorted.front().key, sorted[n / 2].key, sorted.back().key);
    printf("order checksum %lld\n", order);
    printf("%s\n", ok ? "PASS" : "FAIL");

    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(source));
    CUDA_CHECK(cudaFree(target));
    return ok ? 0 : 1;
}
