// Digits of thread numbers: what they are made of is known.
#include <cstdio>
__global__ void rows(const int *ptr, const float *a, float *y) {
    int j = (int)((blockIdx.x * blockDim.x + threadIdx.x) / blockDim.x);
    extern __shared__ float s[];
    float sum = 0;
    for (int k = ptr[j] + threadIdx.x; k < ptr[j + 1]; k += blockDim.x) sum += a[k];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int i = blockDim.x / 2; i > 0; i >>= 1) {
        if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[j] = s[0];
}
__global__ void more(int *y, int w) {
    int id = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    int n = blockDim.x * blockDim.y;
    int b = id / n, t = id % n, r = id / blockDim.x, c = id % (int)blockDim.x, q = id / (n * gridDim.x), z = (2 * blockDim.x + threadIdx.x) / blockDim.x;
    y[id] = b * 7 + t * 11 + r * 13 + c * 17 + q * 19 - (id / n - 3 > 0) + z + threadIdx.y / blockDim.y + (threadIdx.x + threadIdx.y) / blockDim.x;
}
int main() {
    int *p; float *a, *y; int *z;
    cudaMallocManaged(&p, 40); cudaMallocManaged(&a, 400); cudaMallocManaged(&y, 40); cudaMallocManaged(&z, 400*4);
    for (int i = 0; i < 9; i++) p[i] = i * i + i; for (int i = 0; i < 100; i++) a[i] = i * 0.37f;
    rows<<<8, 8, 32>>>(p, a, y);
    more<<<dim3(3, 4), dim3(5, 2)>>>(z, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++) printf("%g ", y[i]);
    for (int i = 0; i < 120; i++) printf("%d ", z[i]);
}
