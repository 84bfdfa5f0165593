// Smallest value, largest value and mean of each row of a table: three reductions per block, all by
// one device function that contains the barriers.
//
// usage: reduce_multi_device_fn [rows columns [repetitions]]
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define THREADS 128

#define CUDA_CALL(call)                                                                            \
    do {                                                                                           \
        const cudaError_t status_ = (call);                                                        \
        if (status_ != cudaSuccess) {                                                              \
            fprintf(stderr, "%s\n  %s (line %d)\n", cudaGetErrorString(status_), #call, __LINE__); \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

struct Summary {
    float smallest;
    float largest;
    float mean;
};

struct Plus {
    __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
struct Smaller {
    __host__ __device__ float operator()(float a, float b) const { return a < b ? a : b; }
};
struct Larger {
    __host__ __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};

// Combines one value of each thread of the block. All threads call it, and all get the result.
template <typename Combine>
__device__ float block_reduce(float value, float *scratch, Combine combine)
{
    const unsigned tid = threadIdx.x;
    scratch[tid] = value;
    __syncthreads();
    for (unsigned active = THREADS / 2; active > 0; active /= 2) {
        if (tid < active)
            scratch[tid] = combine(scratch[tid], scratch[tid + active]);
        __syncthreads();
    }
    const float result = scratch[0];
    // The scratch space may be used again only after everybody has read the result.
    __syncthreads();
    return result;
}

__global__ void summarize(const float *table, Summary *summaries, int columns)
{
    __shared__ float scratch[THREADS];
    const float *row = table + (size_t)blockIdx.x * columns;

    float smallest = FLT_MAX;
    float largest = -FLT_MAX;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += THREADS) {
        const float value = row[c];
        smallest = fminf(smallest, value);
        largest = fmaxf(largest, value);
        sum += value;
    }

    smallest = block_reduce(smallest, scratch, Smaller());
    largest = block_reduce(largest, scratch, Larger());
    sum = block_reduce(sum, scratch, Plus());

    if (threadIdx.x == 0) {
        Summary &summary = summaries[blockIdx.x];
        summary.smallest = smallest;
        summary.largest = largest;
        summary.mean = sum / columns;
    }
}

int main(int argc, char **argv)
{
    const int rows = argc > 2 ? atoi(argv[1]) : 24;
    const int columns = argc > 2 ? atoi(argv[2]) : 300;
    const int repetitions = argc > 3 ? atoi(argv[3]) : 1;
    const size_t cells = (size_t)rows * columns;

    std::vector<float> table(cells);
    unsigned state = 1u;
    for (float &cell : table) {
        state = state * 134775813u + 1u;
        cell = (float)(state >> 20) / 64.0f - 32.0f;
    }

    float *d_table;
    Summary *d_summaries;
    CUDA_CALL(cudaMalloc(&d_table, cells * sizeof(float)));
    CUDA_CALL(cudaMalloc(&d_summaries, rows * sizeof(Summary)));
    CUDA_CALL(cudaMemcpy(d_table, table.data(), cells * sizeof(float), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CUDA_CALL(cudaEventCreate(&start));
    CUDA_CALL(cudaEventCreate(&stop));
    CUDA_CALL(cudaEventRecord(start, 0));
    for (int r = 0; r < repetitions; ++r)
        summarize<<<rows, THREADS>>>(d_table, d_summaries, columns);
    CUDA_CALL(cudaEventRecord(stop, 0));
    CUDA_CALL(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CUDA_CALL(cudaEventElapsedTime(&ms, start, stop));

    std::vector<Summary> summaries(rows);
    CUDA_CALL(cudaMemcpy(summaries.data(), d_summaries, rows * sizeof(Summary),
                         cudaMemcpyDeviceToHost));

    int wrong = 0;
    double ranges = 0.0, means = 0.0;
    for (int r = 0; r < rows; ++r) {
        float smallest = FLT_MAX, largest = -FLT_MAX;
        double sum = 0.0;
        for (int c = 0; c < columns; ++c) {
            const float value = table[(size_t)r * columns + c];
            smallest = Smaller()(smallest, value);
            largest = Larger()(largest, value);
            sum += value;
        }
        const Summary &got = summaries[r];
        if (got.smallest != smallest || got.largest != largest ||
            std::fabs(got.mean - sum / columns) > 1e-4)
            ++wrong;
        ranges += got.largest - got.smallest;
        means += got.mean;
    }

    printf("time_ms %.3f\n", ms);
    printf("ranges %.6e\n", ranges);
    printf("means %.4e\n", means);
    printf("%s\n", wrong == 0 ? "PASS" : "FAIL");

    CUDA_CALL(cudaEventDestroy(start));
    CUDA_CALL(cudaEventDestroy(stop));
    CUDA_CALL(cudaFree(d_table));
    CUDA_CALL(cudaFree(d_summaries));
    return wrong == 0 ? 0 : 1;
}
