// What one block computes and another one reads is taken back in the wrong order: refused.
// g2o-verify: last<<<4, 32>>>(x = [128], partial = [4], out = [1], done = [1 : 0])
__global__ void last(const double *x, double *partial, double *out, unsigned *done) {
    if (threadIdx.x == 0) {
        double sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += x[blockIdx.x * 32 + k] * x[blockIdx.x * 32 + k];
        partial[blockIdx.x] = sum;
        __threadfence();
        if (atomicInc(done, gridDim.x - 1) == gridDim.x - 1) {
            double total = 0;
            for (int b = 0; b < (int)gridDim.x; ++b)
                total += partial[b]; // refused: from one block to another
            out[0] = sqrt(total);
        }
    }
}
// g2o-verify: ticket<<<4, 8>>>(x = [32], sum = [1 : 0.0], out = [1], done = [1 : 0])
__global__ void ticket(const double *x, double *sum, double *out, int *done) {
    __shared__ bool is_last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, x[i] * x[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = atomicAdd(done, 1);
        is_last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0)
        out[0] = sqrt(*sum); // refused: from one block to another
}
// g2o-verify: chain<<<4, 8>>>(x = [32], y = [5 : 0.5 .. 0.6], flag = [5 : i == 0 ? 1 : 0])
__global__ void chain(const double *x, double *y, int *flag) {
    if (threadIdx.x == 0) {
        while (atomicAdd(&flag[blockIdx.x], 0) == 0) {
        }
        __threadfence();
        double s = y[blockIdx.x]; // refused: from one block to another
        for (int k = 0; k < 8; ++k)
            s = sin(s) + x[blockIdx.x * 8 + k];
        y[blockIdx.x + 1] = s;
        __threadfence();
        atomicExch(&flag[blockIdx.x + 1], 1);
    }
}
// g2o-verify: called<<<4, 8>>>(x = [32], partial = [4], out = [1], done = [1 : 0])
__device__ unsigned drawn(unsigned *done, unsigned last) {
    __threadfence();
    return atomicInc(done, last);
}
__global__ void called(const double *x, double *partial, double *out, unsigned *done) {
    __shared__ unsigned flag[1];
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x[blockIdx.x * 8] * x[blockIdx.x * 8 + 1];
        flag[0] = drawn(done, gridDim.x - 1);
    }
    __syncthreads();
    if (flag[0] == gridDim.x - 1 && threadIdx.x == 0)
        out[0] = sqrt(partial[0] + partial[1]); // refused: from one block to another
}
// g2o-verify: watched<<<4, 8>>>(x = [32], y = [5 : 0.5 .. 0.6], flag = [5 : i == 0 ? 1 : 0])
__global__ void watched(const double *x, double *y, volatile int *flag) {
    if (threadIdx.x == 0) {
        while (flag[blockIdx.x] == 0) {
        }
        y[blockIdx.x + 1] = sin(y[blockIdx.x]) + x[blockIdx.x]; // refused: from one block to another
        flag[blockIdx.x + 1] = 1;
    }
}
