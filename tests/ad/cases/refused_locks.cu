// What threads do one behind the other, in an order that is not known when they go back.
__global__ void product(const double *x, double *total, int *lock, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            total[0] *= x[i]; // refused: under a lock
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

__global__ void best(const double *x, double *highest, int *lock, int n)
{
    int i = blockIdx.x;
    if (threadIdx.x == 0 && i < n) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        if (x[i] > highest[0])
            highest[0] = x[i]; // refused: under a lock
        __threadfence();
        atomicExch(lock, 0);
    }
}
