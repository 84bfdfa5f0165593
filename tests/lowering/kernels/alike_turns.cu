// A thread that does the same for several elements: one loop over all of them.
#define THREADS 64
#define SECTION (2 * THREADS)

// The first elements of a thread and the last ones stand beside each other.
__global__ void named_pairs(const float *x, float *y, int n)
{
    __shared__ float s[SECTION];
    int base = blockIdx.x * SECTION;
    int left = 2 * threadIdx.x;
    int right = 2 * threadIdx.x + 1;
    s[left] = x[base + left]; // one for the left side
    s[right] = x[base + right]; // and one for the right
    __syncthreads();
    // Backwards.
    if (base + left < n)
        y[base + left] = s[SECTION - 1 - left];
    if (base + right < n)
        y[base + right] = s[SECTION - 1 - right];
}

// Four chunks, of a size that the launch says.
__global__ void chunks(const int *x, const int *offsets, int *y, int n)
{
    int offset = offsets[blockIdx.x];
    int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    if (i < n)
        y[i] = x[i] + offset;
    if (i + blockDim.x < n)
        y[i + blockDim.x] = x[i + blockDim.x] + offset;
    if (i + 2 * blockDim.x < n)
        y[i + 2 * blockDim.x] = x[i + 2 * blockDim.x] + offset;
    if (i + 3 * blockDim.x < n)
        y[i + 3 * blockDim.x] = x[i + 3 * blockDim.x] + offset;
}

// Rows of a tile: the loop over rows becomes longer, not the one over columns.
__global__ void rows(const float *x, float *y, int width)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = x[ty * width + tx];
    tile[ty + 16][tx] = x[(ty + 16) * width + tx];
    __syncthreads();
    y[ty * width + tx] = tile[tx][ty];
    y[(ty + 16) * width + tx] = tile[tx][ty + 16];
}

// Elements of a thread that depend on each other stay in order, without vectors.
__global__ void carried(int *x, const int *place, int *count)
{
    __shared__ int s[3 * THREADS];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    s[t + THREADS] = s[t] + 1;
    s[t + 2 * THREADS] = s[t + THREADS] + 1;
    __syncthreads();
    count[place[2 * t]] = s[2 * t];
    count[place[2 * t + 1]] = s[2 * t + 1];
    x[t] = s[t + THREADS] + s[t + 2 * THREADS];
}

// Nearly alike: the second one skips an element, multiplies, goes down, or adds to a register.
__global__ void unlike(const int *x, int *y)
{
    __shared__ int s[4 * THREADS];
    int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 2];
    s[t + 2 * THREADS] = x[t] * 2;
    s[t + 3 * THREADS] = x[t + THREADS] * 3;
    __syncthreads();
    y[t] = s[t];
    y[t + THREADS] = s[2 * THREADS - t];
    int sum = 0;
    sum += s[2 * t];
    sum += s[2 * t + 1];
    y[t + 2 * THREADS] = sum;
}

void run(float *x, float *y, int *p, int *q, int *r, int n, int threads)
{
    named_pairs<<<8, THREADS>>>(x, y, n);
    chunks<<<8, threads>>>(p, q, r, n);
    rows<<<1, dim3(32, 16)>>>(x, y, 32);
    carried<<<1, THREADS>>>(p, q, r);
    unlike<<<1, THREADS>>>(p, q);
}
