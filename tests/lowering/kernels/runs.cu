// Small arrays of threads that run in any order, and indices that wrap around.
#define N 4
__constant__ int shift_of[N] = {0, 1, -1, 2};

// In one dimension: chunks in parallel, and runs in them.
__global__ void ring(const float *x, float *y, const bool *fixed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (fixed[i]) {
        y[i] = x[i];
        return;
    }
    float part[N];
    for (int k = 0; k < N; ++k) {
        int at = i + shift_of[k];
        int inside = at < 0 ? at + n : at >= n ? at - n : at;
        part[k] = x[inside];
    }
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += part[k] * part[N - 1 - k];
    y[i] = sum;
}

// Nothing ends a run before its chunk does.
__global__ void planes(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part[N], sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        part[k] = x[k * n + i];
        sum += part[k];
    }
    for (int k = 0; k < N; ++k)
        y[k * n + i] = part[k] / sum;
}

// The pointer may lead nowhere for threads that leave: edges cannot be looked up for all.
__global__ void table(const float *x, float *y, const int *offset, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] < 0.0f)
        return;
    float part[N];
    for (int k = 0; k < N; ++k) {
        int at = i + offset[k];
        int inside = at < 0 ? at + n : at;
        part[k] = x[inside];
    }
    for (int k = 0; k < N; ++k)
        y[k * n + i] = part[k];
}

// Neighbours do not load neighbouring elements.
__global__ void records(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part[N];
    for (int k = 0; k < N; ++k)
        part[k] = x[i * N + k];
    for (int k = 0; k < N; ++k)
        y[i * N + k] = part[N - 1 - k];
}

// Remainders wrap around as well, and loops may count down.
__global__ void rounds(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part[N];
    for (int k = 0; k < N; ++k)
        part[k] = x[(i + shift_of[k] + n) % n];
    for (int k = N - 1; k >= 0; --k)
        y[k * n + (i - shift_of[k] + n) % n] = part[k];
}

// Nothing says that the divisor is positive.
__global__ void other_rounds(const float *x, float *y, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float part[N];
    for (int k = 0; k < N; ++k)
        part[k] = x[(i + shift_of[k]) % m];
    for (int k = 0; k < N; ++k)
        y[k * n + i] = part[k];
}
