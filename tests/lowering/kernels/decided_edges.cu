// What chooses the inner part of a row is false at both ends of it, and nothing asks for it there.

__global__ void borders(float *out, const float *in, int width, int height)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = row * width + col;
    if (col > 0 && col < width - 1 && row > 0 && row < height - 1) {
        out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
    } else if (col < width && row < height) {
        // stays
        out[i] = in[i];
    }
}

__global__ void chosen(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const bool inside = x >= 2 && x < width - 2;
    out[y * width + x] = inside ? in[y * width + x - 2] + in[y * width + x + 2] : 1.0f;
}

// Two conditions: at one end the other one holds.
__global__ void of_two(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float west = x > 0 ? in[y * width + x - 1] : 0.0f;
    const float east = x < width - 1 ? in[y * width + x + 1] : 0.0f;
    out[y * width + x] = west + east;
}

// Nothing is left of threads that leave before the first barrier.
__global__ void leave_first(float *out, const float *in, int width, int height)
{
    __shared__ float s[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x >= width || y >= height)
        return;
    for (int c = 0; c < 3; ++c) {
        s[ty][tx] = in[(c * height + y) * width + x];
        __syncthreads();
        out[(c * height + y) * width + x] = s[ty][15 - tx];
        __syncthreads();
    }
}
