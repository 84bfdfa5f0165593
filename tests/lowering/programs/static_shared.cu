// Shared memory of device functions is one object for all calls.
#include <cstdio>

__device__ int *buffer() {
    __shared__ int s[64];
    return s;
}

__device__ int exchange(int v) {
    __shared__ int kept;
    __syncthreads();
    int old = kept;
    __syncthreads();
    if (threadIdx.x == 0)
        kept = v;
    __syncthreads();
    return old;
}

template <typename T> __device__ T swap_at(int place, T v) {
    __shared__ T cells[4];
    T old = cells[place];
    __syncthreads();
    if (threadIdx.x == 0)
        cells[place] = v;
    __syncthreads();
    return old;
}

// Every call writes before it reads: an array of its own does.
__device__ int largest(int v) {
    __shared__ int part[64];
    part[threadIdx.x] = v;
    __syncthreads();
    int m = 0;
    for (int i = 0; i < 64; ++i)
        m = part[i] > m ? part[i] : m;
    __syncthreads();
    return m;
}

__global__ void k(int *out, double *reals) {
    int t = threadIdx.x;
    buffer()[t] = t * 3;
    __syncthreads();
    out[t] = buffer()[63 - t];
    exchange(5);
    out[64 + t] = exchange(6) + largest(t) * largest(100 - t);
    for (int i = 0; i < 4; ++i) {
        swap_at<double>(i, i * 0.5);
        swap_at<int>(i, i);
    }
    double sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += swap_at<double>(i, 0) + swap_at<int>(i, 0);
    reals[t] = sum;
}

int main() {
    int *d;
    double *r;
    cudaMalloc(&d, 128 * sizeof(int));
    cudaMalloc(&r, 64 * sizeof(double));
    k<<<1, 64>>>(d, r);
    int h[128];
    double hr[64];
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(hr, r, sizeof hr, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i)
        printf("%d ", h[i]);
    for (int i = 0; i < 64; ++i)
        printf("%g ", hr[i]);
    printf("\n");
}
