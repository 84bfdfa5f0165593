// Asynchronous copies, and the barriers and pipelines that wait for them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Each thread for itself, four numbers at a time, the last ones zeros.
__global__ void by_threads(float *y, const float *x, int n) {
    __shared__ float s[256];
    int first = blockIdx.x * 256 + 4 * threadIdx.x;
    bool is_in = first < n;
    __pipeline_memcpy_async(&s[4 * threadIdx.x], &x[is_in ? first : 0], 4 * sizeof(float),
                            is_in ? 0 : 4 * sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        y[blockIdx.x * 256 + i] = s[255 - i];
}

// The tile after this one is on its way while this one is read.
__global__ void two_tiles(float *y, const float *x, int tiles) {
    __shared__ float4 s[2][16];
    const float4 *from = reinterpret_cast<const float4 *>(x);
    __pipeline_memcpy_async(&s[0][threadIdx.x], &from[threadIdx.x], sizeof(float4));
    __pipeline_commit();
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile + 1 < tiles)
            __pipeline_memcpy_async(&s[(tile + 1) % 2][threadIdx.x],
                                    &from[(tile + 1) * 16 + threadIdx.x], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        y[tile * 16 + threadIdx.x] = s[tile % 2][15 - threadIdx.x].y;
        __syncthreads();
    }
}

// One thread prepares the barrier that the others and it then wait for.
__global__ void by_barrier(float *y, const float *x, int tiles) {
    extern __shared__ float tile[];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier ready;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) {
        init(&ready, block.size());
    }
    block.sync();
    float sum = 0;
    for (int i = 0; i < tiles; ++i) {
        cuda::memcpy_async(block, tile, x + i * blockDim.x,
                           cuda::aligned_size_t<4>(sizeof(float) * block.size()), ready);
        ready.arrive_and_wait();
        sum += tile[blockDim.x - 1 - threadIdx.x];
        block_barrier::arrival_token token = ready.arrive();
        sum += 0.5f * i;
        ready.wait(std::move(token));
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ void exchange(block_barrier &all, float *tile, float value) {
    tile[threadIdx.x] = value;
    all.wait(all.arrive());
}

__global__ void by_function(float *y, const float *x) {
    __shared__ float tile[64];
    __shared__ block_barrier all[1];
    if (threadIdx.x == 0)
        init(&all[0], 64);
    __syncthreads();
    exchange(all[0], tile, 2 * x[threadIdx.x]);
    y[threadIdx.x] = tile[threadIdx.x ^ 5];
}

template <typename T, int Stages>
__global__ void by_stages(T *y, const T *x, int batches) {
    __shared__ T tiles[Stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, Stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int compute = 0, fetch = 0; compute < batches; ++compute) {
        for (; fetch < batches && fetch < compute + Stages; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tiles[fetch % Stages], x + fetch * 64, sizeof(T) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[compute * 64 + threadIdx.x] = tiles[compute % Stages][threadIdx.x * 7 % 64];
        pipe.consumer_release();
    }
}

__global__ void by_own_pipeline(double *y, const double *x) {
    __shared__ double s[128];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    for (int half = 0; half < 2; ++half) {
        int at = half * 64 + threadIdx.x;
        pipe.producer_acquire();
        cuda::memcpy_async(&s[at], &x[at], sizeof(double), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    s[threadIdx.x] += 1;
    pipe.consumer_wait();
    pipe.consumer_release();
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x] + s[127 - threadIdx.x];
}

// What is left of the memory says how much is copied.
__global__ void by_group(float *y, const float *x, int n) {
    __shared__ float part[32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    float sum = 0;
    for (int first = 0; first < n; first += 32) {
        cg::memcpy_async(warp, part, 32, x + first, n - first);
        cg::wait(warp);
        if (first + threadIdx.x < n)
            sum += part[n - first < 32 ? n - first - 1 - threadIdx.x : 31 - threadIdx.x];
        warp.sync();
    }
    y[threadIdx.x] = sum;
}

template <typename T>
void print(const T *y, int n) {
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%g ", double(y[i]));
    printf("\n");
}

int main() {
    float *x, *y;
    double *v, *w;
    cudaMallocManaged(&x, 512 * sizeof(float));
    cudaMallocManaged(&y, 512 * sizeof(float));
    cudaMallocManaged(&v, 128 * sizeof(double));
    cudaMallocManaged(&w, 128 * sizeof(double));
    for (int i = 0; i < 512; ++i)
        x[i] = i * 7 % 31;
    for (int i = 0; i < 128; ++i)
        v[i] = i * 5 % 29;
    by_threads<<<2, 64>>>(y, x, 300);
    print(y, 512);
    two_tiles<<<1, 16>>>(y, x, 5);
    print(y, 80);
    by_barrier<<<2, 32, 32 * sizeof(float)>>>(y, x, 3);
    print(y, 64);
    by_function<<<1, 64>>>(y, x);
    print(y, 64);
    by_stages<float, 2><<<1, 64>>>(y, x, 5);
    by_stages<float, 3><<<1, 64>>>(y, x, 7);
    print(y, 448);
    by_own_pipeline<<<1, 64>>>(w, v);
    print(w, 64);
    by_group<<<1, 32>>>(y, x, 75);
    print(y, 32);
    return 0;
}
