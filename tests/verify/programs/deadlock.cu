// Half of the block waits at a barrier for threads that wait for another warp operation.
#include <cstdio>

__global__ void stuck(int *x) {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        x[threadIdx.x] = __shfl_sync(0xffffffff, x[threadIdx.x], 0);
}

int main() {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    puts("before");
    stuck<<<1, 32>>>(x);
    puts("after");
}
// exit: 87
// stderr: deadlock in kernel 'stuck'
// stderr: waits for __syncthreads
// output: before
