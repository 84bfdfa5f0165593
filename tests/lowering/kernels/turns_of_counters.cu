// What only the thread does whose index a counter is, is done once: where there is such a thread.
#include <cstdio>

#define SIZE 12

__global__ void eliminate(float *matrices)
{
    __shared__ float a[SIZE][SIZE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    float *own = matrices + blockIdx.x * SIZE * SIZE;
    a[y][x] = own[y * SIZE + x];
    __syncthreads();
    for (int k = 0; k < SIZE - 1; ++k) {
        if (x == k && y > k)
            a[y][k] /= a[k][k];
        __syncthreads();
        if (x > k && y > k)
            a[y][x] -= a[y][k] * a[k][x];
        __syncthreads();
    }
    own[y * SIZE + x] = a[y][x];
}

// The counter comes to numbers that no thread has, below and above.
__global__ void rotate(int *values, int from, int n)
{
    __shared__ int kept[SIZE];
    kept[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    for (int k = from; k < n; ++k) {
        if (k == threadIdx.x && k != 4)
            kept[threadIdx.x] += kept[(k + 1) % SIZE];
        __syncthreads();
    }
    values[threadIdx.x] = kept[threadIdx.x];
}

int main()
{
    const int count = 3;
    float matrices[count * SIZE * SIZE];
    int values[SIZE];
    for (int i = 0; i < count * SIZE * SIZE; ++i)
        matrices[i] = (i * 7 % 23) * 0.125f + (i % (SIZE * SIZE) % (SIZE + 1) == 0 ? 16.0f : 0.0f);
    for (int i = 0; i < SIZE; ++i)
        values[i] = i + 1;
    float *d_matrices;
    int *d_values;
    cudaMalloc(&d_matrices, sizeof(matrices));
    cudaMalloc(&d_values, sizeof(values));
    cudaMemcpy(d_matrices, matrices, sizeof(matrices), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice);
    eliminate<<<count, dim3(SIZE, SIZE)>>>(d_matrices);
    rotate<<<1, SIZE>>>(d_values, -3, SIZE + 5);
    cudaMemcpy(matrices, d_matrices, sizeof(matrices), cudaMemcpyDeviceToHost);
    cudaMemcpy(values, d_values, sizeof(values), cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < count * SIZE * SIZE; ++i)
        sum += matrices[i] * (i % 7 + 1);
    std::printf("%.2f\n", sum);
    for (int i = 0; i < SIZE; ++i)
        std::printf("%d ", values[i]);
    std::printf("\n");
    return 0;
}
