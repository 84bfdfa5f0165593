__constant__ float coefficients[4];

// Iterations of one thread have elements of their own: one loop over all of them.
__global__ void scale(float *y, const float *x, size_t n) {
    const size_t stride = blockDim.x * gridDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const float value = x[i] * coefficients[1];
        if (value < 0)
            continue;
        y[i] = value;
    }
}

// The same as a `while`, with several elements for each iteration.
__global__ void split(float *__restrict__ y, const float2 *__restrict__ x, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    while (i < n) {
        y[2 * i] = x[i].x;
        y[2 * i + 1] = x[i].y;
        i += gridDim.x * blockDim.x;
    }
}

// Atomics may meet.
__global__ void count(int *bins, const int *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[x[i]], 1);
}

// An iteration reads what another one writes, perhaps of the same thread: the loops stay.
__global__ void shift(float *y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = y[i + 1024];
}

// A thread carries a value from one iteration to the next.
__global__ void sums(float *y, const float *x, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int i = thread; i < n; i += blockDim.x * gridDim.x)
        sum += x[i];
    y[thread] = sum;
}

// Without `__restrict__` the arrays may overlap, and nothing tells that there is a second thread.
__global__ void neighbours(float *y, float *z, const float *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        y[i] = x[i + 1];
        z[i] = 1.0f;
    }
}

// What an atomic gives back tells nothing about the element.
__global__ void append(int *list, int *length, const int *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        list[atomicAdd(length, 1)] = x[i];
}

// The whole loop ends early: other iterations must not have run.
__global__ void search(int *found, const int *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (x[i] == 7) {
            found[i] = 1;
            break;
        }
}
