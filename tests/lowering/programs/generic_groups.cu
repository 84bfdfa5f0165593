// Functions for any group of threads, groups of lanes that agree, positions in grids of two axes.
#include <cstdio>

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

#include <cooperative_groups.h>
namespace cgl = cooperative_groups;
__global__ void lp_k(const int *in, int *out, int n) {
    auto tile = cgl::tiled_partition<32>(cgl::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    auto lab = cgl::labeled_partition(tile, v % 3);
    int s = v;
    s = lab.shfl(s, 0);
    out[i] = lab.size() * 1000 + lab.thread_rank() * 10 + s;
    auto bin = cgl::binary_partition(tile, v > 3);
    out[i + n] = bin.size() * 100 + bin.thread_rank() + (bin.any(v == 5) ? 1000 : 0);
    auto bin2 = cgl::binary_partition(lab, v & 2);
    out[i + n] += 10000 * bin2.size();
}
__global__ void lp_co(int *out, const int *in) {
    int i = threadIdx.x;
    if (in[i] & 1) {
        auto g = cgl::coalesced_threads();
        int x = g.shfl_down(in[i], 1);
        if (g.thread_rank() == g.size() - 1)
            x = -1;
        out[i] = x + 10 * g.thread_rank();
        g.sync();
    }
}

#include <cooperative_groups.h>
using namespace cooperative_groups;
template <typename G> __device__ int cm_sum(G g, int *tmp, int v) {
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        tmp[lane] = v;
        g.sync();
        if (lane < i)
            v += tmp[lane + i];
        g.sync();
    }
    return v;
}
__global__ void cm_k(const int *in, int *out, int n) {
    __shared__ int tmp[128];
    auto g = this_thread_block();
    int v = in[g.group_index().x * g.group_dim().x + g.thread_index().x];
    int s = cm_sum(g, tmp, v);
    if (g.thread_rank() == 0)
        out[blockIdx.x] = s;
    auto t = tiled_partition<8>(g);
    int off = (threadIdx.x / 8) * 8;
    g.sync();
    s = cm_sum(t, tmp + off, v);
    if (t.thread_rank() == 0)
        out[8 + blockIdx.x * 16 + t.meta_group_rank()] = s + t.meta_group_size() * 1000;
}

#include <cooperative_groups.h>
namespace cgg2 = cooperative_groups;
__global__ void gg2_k(int *o) {
    cgg2::grid_group g = cgg2::this_grid();
    o[g.thread_rank()] = g.block_index().y * 100 + g.block_index().x * 10 + g.size();
}
__global__ void gg3_k(int *o) {
    auto g = cgg2::this_grid();
    o[g.thread_rank()] = g.block_index().x * 10 + g.size();
}
__global__ void gg4_k(int *o) {
    auto g = cgg2::this_grid();
    auto b = cgg2::this_thread_block();
    dim3 q = b.group_index();
    dim3 r = g.group_dim();
    o[g.thread_rank()] = q.x + q.y * 10 + g.block_rank() * 1000 + r.y;
}
template <class G, class T> __device__ T cs_sum(const G &g, T v) {
    for (unsigned d = g.size() / 2; d > 0; d >>= 1)
        v += g.shfl_down(v, d);
    return v;
}
__global__ void cs_k(const float *x, float *o) {
    auto b = cgg2::this_thread_block();
    auto t = cgg2::tiled_partition<16>(b);
    float s = cs_sum(t, x[b.thread_rank()]);
    if (t.thread_rank() == 0)
        o[t.meta_group_rank()] = s;
    auto w = cgg2::tiled_partition<32>(b);
    s = cs_sum(w, x[b.thread_rank()]);
    if (w.thread_rank() == 0)
        atomicAdd(o + 8, s);
}

int main() {
    {
        int *a = filled<int>(64), *o = filled<int>(128, 0, 1, 0);
        lp_k<<<2, 32>>>(a, o, 64);
        show("cglabel", o, 128);
        lp_co<<<1, 64>>>(o, a);
        show("cglabel", o, 64);
    }
    {
        int *a = filled<int>(256), *o = filled<int>(64, 0, 1, 0);
        cm_k<<<2, 128>>>(a, o, 256);
        show("cgmeta", o, 64);
    }
    {
        int *o = filled<int>(64, 0, 1, 0);
        gg2_k<<<dim3(2, 3), 8>>>(o);
        show("cggrid2", o, 64);
        gg3_k<<<dim3(4), 8>>>(o);
        show("cggrid2", o, 64);
        gg4_k<<<dim3(2, 2), dim3(4, 2)>>>(o);
        show("cggrid2", o, 64);
        float *x = filled<float>(64), *p = filled<float>(9, 0, 1, 0);
        cs_k<<<1, 64>>>(x, p);
        show("cggrid2", p, 9);
    }
    return 0;
}
