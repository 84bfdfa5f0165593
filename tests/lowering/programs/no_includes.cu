__device__ int thread() { return threadIdx.x; }

__global__ void count(int *x) { x[thread()] = thread(); }

int main() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 32 * sizeof(int));
    count<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        sum += x[i];
    printf("%d\n", sum);
    return sum != 496;
}
