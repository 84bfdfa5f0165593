// Operations of warps on what all lanes have alike, outside of loops over lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <class T> static T *filled(int n, int factor = 7, int modulus = 13, int offset = -3) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<T>(i * factor % modulus + offset);
    return p;
}

template <class T> static void show(const char *what, const T *p, int n) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < n; ++i)
        printf(" %g", static_cast<double>(p[i]));
    printf("\n");
}

__global__ void uniform_warp_ops(unsigned *out, const int *in) {
    int w = threadIdx.x / 32, x = in[w];
    unsigned q = w * 3 + 5;
    unsigned r =
        __match_any_sync(~0u, w) ^ __ballot_sync(~0u, w) ^ __popc(__match_any_sync(~0u, x));
    r += __reduce_add_sync(~0u, w + 1) + __reduce_max_sync(~0u, x) * 3 + __reduce_xor_sync(~0u, q) +
         __reduce_and_sync(~0u, q) + __reduce_or_sync(~0u, q);
    int p;
    r += __match_all_sync(~0u, x, &p) + p + __any_sync(~0u, w) + __shfl_sync(~0u, w, 4) +
         __shfl_xor_sync(~0u, x, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = r;
}

// Tiles, and sums up to a lane, need the values of all lanes even where they are the same.
__global__ void uniform_tile_ops(float *y, float p, int n) {
    __shared__ float s[64];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    float c = p * 2;
    s[t] = t + cg::exclusive_scan(tile, n, cg::plus<int>()) + cg::reduce(tile, p, cg::plus<float>());
    __syncthreads();
    s[t] += cg::reduce(tile, c, cg::plus<float>());
    __syncthreads();
    c += 1;
    y[blockIdx.x * 64 + t] = s[63 - t] + cg::inclusive_scan(tile, c, cg::plus<float>());
}

int main() {
    {
        unsigned *a = filled<unsigned>(128);
        int *b = filled<int>(192);
        uniform_warp_ops<<<2, 64>>>(a, b);
        show("uniform_warp_ops", a, 128);
        float *y = filled<float>(128);
        uniform_tile_ops<<<2, 64>>>(y, 1.5f, 3);
        show("uniform_tile_ops", y, 128);
    }
    return 0;
}
