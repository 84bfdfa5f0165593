// Shared memory that no function declares: one for each block of every kernel that gets to it.
#include <cstdio>
#include <cuda_runtime.h>

#define WIDTH 32
struct Cell {
    int count;
    float sum;
};

__shared__ int row[WIDTH];
__shared__ Cell cells[2][WIDTH / 2], total;
static __shared__ volatile int flag;

__device__ int next(int i) { return row[(i + 1) % WIDTH]; }

__device__ void start(int v) {
    row[threadIdx.x] = v;
    __syncthreads();
}

__device__ void shift() {
    int v = next(threadIdx.x);
    __syncthreads();
    start(v);
}

__device__ Cell &own_cell() { return cells[threadIdx.x / 16][threadIdx.x % 16]; }

template <typename T> __device__ T mirrored(T v) {
    int row[1] = {int(v)}; // hides the array of the file
    start(row[0]);
    return T(next(WIDTH - 2 - threadIdx.x + WIDTH));
}

__global__ void rotate(int *out, int times) {
    row[threadIdx.x] = threadIdx.x + 100 * blockIdx.x;
    __syncthreads();
    for (int i = 0; i < times; ++i)
        shift();
    out[blockIdx.x * WIDTH + threadIdx.x] = row[threadIdx.x] + next(threadIdx.x);
}

__global__ void mirror(float *out) {
    out[threadIdx.x] = mirrored(2.0f * threadIdx.x);
    __syncthreads();
    out[WIDTH + threadIdx.x] = next(threadIdx.x);
}

__global__ void sum(const int *x, float *out) {
    Cell &cell = own_cell();
    cell.count = 1;
    cell.sum = x[blockIdx.x * WIDTH + threadIdx.x];
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (x[blockIdx.x * WIDTH + threadIdx.x] == 131)
        flag = 1;
    for (int step = 8; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x % 16 < step) {
            cell.count += cells[threadIdx.x / 16][threadIdx.x % 16 + step].count;
            cell.sum += cells[threadIdx.x / 16][threadIdx.x % 16 + step].sum;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        total.count = cells[0][0].count + cells[1][0].count;
        total.sum = cells[0][0].sum + cells[1][0].sum;
    }
    __syncthreads();
    if (threadIdx.x < 2)
        out[2 * blockIdx.x + threadIdx.x] = threadIdx.x == 0 ? total.sum : total.count + flag;
}

int main() {
    const int blocks = 3;
    int *x;
    float *y;
    cudaMallocManaged(&x, blocks * WIDTH * sizeof(int));
    cudaMallocManaged(&y, 2 * WIDTH * sizeof(float));
    rotate<<<blocks, WIDTH>>>(x, 5);
    cudaDeviceSynchronize();
    for (int i = 0; i < blocks * WIDTH; ++i)
        printf("%d ", x[i]);
    mirror<<<1, WIDTH>>>(y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * WIDTH; ++i)
        printf("%g ", y[i]);
    x[40] = 131;
    sum<<<blocks, WIDTH>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * blocks; ++i)
        printf("%g ", y[i]);
    printf("\n");
    return 0;
}
