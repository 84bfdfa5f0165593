// A recursion without end overflows the stack of a CUDA thread, not the neighbour's.
__device__ int forever(volatile int *x, int n) {
    volatile int frame[64];
    frame[n % 64] = *x;
    return forever(x, n + 1) + frame[(n + 1) % 64];
}
__global__ void recurse(int *x) { *x = forever(x, 0); }

int main() {
    int *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    recurse<<<1, 1>>>(x);
}
// exit: 86
// stderr: stack overflow in kernel 'recurse'
