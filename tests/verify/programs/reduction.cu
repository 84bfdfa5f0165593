// Block sums by a tree in static shared memory, then the sum of the sums.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void blockSum(const int *in, int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

int main() {
    const int n = 1000;
    int host[n], *in, *out, sums[8], total;
    for (int i = 0; i < n; ++i)
        host[i] = i * i % 17;
    cudaMalloc(&in, sizeof host);
    cudaMalloc((void **)&out, sizeof sums);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    blockSum<<<8, 128>>>(in, out, n);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    blockSum<<<1, 128>>>(out, out, 8);
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    int wanted = 0;
    for (int i = 0; i < n; ++i)
        wanted += host[i];
    printf("first %d total %d wanted %d\n", sums[0], total, wanted);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    return cudaFree(out);
}
// output: first 1020 total 8010 wanted 8010
// output: no error
