// The lanes of a warp take the entries of a row in turn.
__global__ void rows(const int *start, const float *value, const int *column, const float *x,
                     float *y, int n)
{
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * 128 + threadIdx.x) / 32;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

// What the loop writes may be where it begins and ends: each lane looks for itself.
__global__ void shifted(int *start, float *value, float *y, int n)
{
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * 128 + threadIdx.x) / 32;
    float sum = 0.0f;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) {
        sum += value[k];
        start[k] = 0;
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    y[row * 32 + lane] = sum;
}

// The mean is needed in two passes over the row: each has its own copies for the lanes.
__device__ float warp_sum(float v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

__global__ void deviations(const float *x, float *y, int columns)
{
    const float *row = x + blockIdx.x * columns;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        sum += row[c];
    const float mean = warp_sum(sum) / columns;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        squares += (row[c] - mean) * (row[c] - mean);
    const float variance = warp_sum(squares) / columns;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        y[blockIdx.x * columns + c] = (row[c] - mean) / variance;
}

void run(int *start, float *value, const int *column, const float *x, float *y, int n)
{
    rows<<<8, 128>>>(start, value, column, x, y, n);
    shifted<<<8, 128>>>(start, value, y, n);
    deviations<<<n, 32>>>(x, y, n);
}
