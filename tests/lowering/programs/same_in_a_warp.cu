// Operations of warps on what all lanes have alike, outside of loops over lanes.
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

int main() {
    {
        unsigned *a = filled<unsigned>(128);
        int *b = filled<int>(192);
        uniform_warp_ops<<<2, 64>>>(a, b);
        show("uniform_warp_ops", a, 128);
    }
    return 0;
}
