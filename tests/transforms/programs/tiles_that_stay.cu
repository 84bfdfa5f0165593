// Tiles that seem to repeat an array, and do not: branches, turns, buffers, threads that leave.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
// uniform branches around fills
__global__ void branches(const float *in, float *out, int n, int which)
{
    __shared__ float tile[32];
    const int t = threadIdx.x;
    if (which) {
        tile[t] = in[t];
        __syncthreads();
    } else {
        tile[t] = in[31 - t + n];
        __syncthreads();
    }
    out[t] = tile[31 - t];
}
// the fill comes behind in the loop: what is loaded is of the turn before
__global__ void before(const float *in, float *out, int turns)
{
    __shared__ float tile[32];
    const int t = threadIdx.x;
    tile[t] = 0.5f;
    __syncthreads();
    for (int k = 0; k < turns; ++k) {
        out[k * 32 + t] = tile[31 - t];
        __syncthreads();
        tile[t] = in[k * 32 + t];
        __syncthreads();
    }
}
// two buffers
__global__ void ahead(const float *in, float *out, int turns)
{
    __shared__ float tile[2][32];
    const int t = threadIdx.x;
    tile[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < turns; ++k) {
        if (k + 1 < turns)
            tile[(k + 1) & 1][t] = in[(k + 1) * 32 + t];
        out[k * 32 + t] = tile[k & 1][31 - t];
        __syncthreads();
    }
}
// threads that leave do not fill
__global__ void leave(const float *in, float *out, int n)
{
    __shared__ float tile[34];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (t < 2)
        tile[t + 32] = -1.0f;
    tile[t] = -2.0f;
    __syncthreads();
    if (i < n)
        tile[t] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = tile[t + 2];
}
// the same element twice, the second one wins
__global__ void twice(const float *in, float *out)
{
    __shared__ float tile[32];
    const int t = threadIdx.x;
    tile[t] = in[t];
    tile[t] = in[t + 1];
    __syncthreads();
    out[t] = tile[(t + 3) % 32];
}
// narrow and unsigned
__global__ void narrow(const unsigned char *in, int *out, unsigned n)
{
    __shared__ unsigned char tile[64];
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < 64u; i += blockDim.x)
        tile[i] = i - 16u < n ? in[i - 16u] : 9;
    __syncthreads();
    out[t] = tile[t + 15] - tile[t + 17];
}
// offset pointers: negative places
__global__ void inner(const float *mid, float *out)
{
    __shared__ float tile[34];
    const unsigned t = threadIdx.x;
    tile[t + 1] = mid[t];
    if (t == 0) {
        tile[0] = mid[-1];
        tile[33] = mid[32];
    }
    __syncthreads();
    out[t] = tile[t] + 2.0f * tile[t + 2];
}
int main()
{
    float *a, *b;
    unsigned char *c;
    int *d;
    const int n = 1024;
    cudaMallocManaged(&a, n * 4);
    cudaMallocManaged(&b, n * 4);
    cudaMallocManaged(&c, n);
    cudaMallocManaged(&d, n * 4);
    float *e, *f;
    cudaMalloc(&e, n * 4);
    cudaMalloc(&f, n * 4);
    unsigned char *g;
    int *q;
    cudaMalloc(&g, n);
    cudaMalloc(&q, n * 4);
    std::vector<float> h(n);
    std::vector<unsigned char> hc(n);
    std::vector<int> hi(n);
    for (int i = 0; i < n; ++i) {
        h[i] = i * 37 % 101;
        hc[i] = i * 7;
    }
    cudaMemcpy(e, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(g, hc.data(), n, cudaMemcpyHostToDevice);
    auto show = [&](const char *s) {
        cudaMemcpy(h.data(), f, n * 4, cudaMemcpyDeviceToHost);
        double x = 0;
        for (int i = 0; i < n; ++i)
            x += h[i] * (i % 29 + 1);
        printf("%s %.3f\n", s, x);
    };
    cudaMemset(f, 0, n * 4);
    branches<<<1, 32>>>(e, f, 7, 1);
    show("b1");
    branches<<<1, 32>>>(e, f, 7, 0);
    show("b0");
    before<<<1, 32>>>(e, f, 4);
    show("before");
    ahead<<<1, 32>>>(e, f, 5);
    show("ahead");
    leave<<<3, 32>>>(e, f, 75);
    show("leave");
    twice<<<1, 32>>>(e, f);
    show("twice");
    inner<<<1, 32>>>(e + 5, f);
    show("inner");
    narrow<<<1, 32>>>(g, q, 30);
    cudaMemcpy(hi.data(), q, 128, cudaMemcpyDeviceToHost);
    int x = 0;
    for (int i = 0; i < 32; ++i)
        x += hi[i] * (i + 1);
    printf("narrow %d\n", x);
}
