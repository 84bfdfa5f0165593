// Printing in kernels; 2-D indices; the order of lines depends on the schedule.
#include <cassert>
#include <cstdio>

__global__ void hello(int n) {
    assert(n == 2);
    if (threadIdx.x % n == 0)
        printf("block (%d,%d) thread (%d,%d) of %d\n", blockIdx.x, blockIdx.y, threadIdx.x,
               threadIdx.y, blockDim.x * blockDim.y * blockDim.z);
}

int main() {
    hello<<<dim3(1, 2), dim3(2, 2)>>>(2);
    cudaDeviceSynchronize();
    puts("done");
}
// unordered
// output: block (0,0) thread (0,0) of 4
// output: block (0,0) thread (0,1) of 4
// output: block (0,1) thread (0,0) of 4
// output: block (0,1) thread (0,1) of 4
// output: done
