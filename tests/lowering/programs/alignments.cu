// Alignments of shared and local arrays, in every place where they may stand.
#include <cstdio>

template <class T> __global__ void dynamic(T *x) {
    extern __shared__ __align__(sizeof(T)) unsigned char bytes[];
    T *s = reinterpret_cast<T *>(bytes);
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void behind(float *x) {
    extern __shared__ alignas(16) float first[];
    __shared__ alignas(alignof(double)) char second[64];
    __shared__ __align__(8) float third[32];
    first[threadIdx.x] = x[threadIdx.x];
    second[threadIdx.x] = 1;
    third[threadIdx.x] = 2;
    __syncthreads();
    x[threadIdx.x] = first[31 - threadIdx.x] + second[threadIdx.x ^ 1] + third[threadIdx.x ^ 1];
}

extern __shared__ __align__(alignof(float4)) float outside[];

__global__ void locals(float *x) {
    alignas(16) float a[4] = {1, 2, 3, 4};
    __align__(16) float b[2];
    b[0] = b[1] = 1;
    outside[threadIdx.x] = x[threadIdx.x] + a[threadIdx.x & 3] + b[0];
    __syncthreads();
    x[threadIdx.x] = outside[31 - threadIdx.x];
}

__global__ void in_front(float *x) {
    alignas(16) extern __shared__ float values[];
    values[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = values[31 - threadIdx.x] + 1;
}

__global__ void like_a_type(float *x) {
    __shared__ alignas(double2) unsigned char bytes[32 * sizeof(float)];
    float *values = reinterpret_cast<float *>(bytes);
    values[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = values[31 - threadIdx.x] + 2;
}

int main() {
    float *x;
    cudaMallocManaged(&x, 32 * sizeof(float));
    for (int i = 0; i < 32; ++i)
        x[i] = i;
    dynamic<<<1, 32, 32 * sizeof(float)>>>(x);
    behind<<<1, 32, 32 * sizeof(float)>>>(x);
    locals<<<1, 32, 32 * sizeof(float)>>>(x);
    in_front<<<1, 32, 32 * sizeof(float)>>>(x);
    like_a_type<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %g", x[i]);
    printf("\n");
}
