// What one thread of a block, or of the grid, does behind operations between lanes.

__global__ void first_thread(const float *x, float *y)
{
    int tid = threadIdx.x;
    float sum = x[blockIdx.x * blockDim.x + tid];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (tid == 0) // of the block
        y[blockIdx.x] = sum;
}

__global__ void first_lanes(const float *x, float *y)
{
    int tid = threadIdx.x;
    float sum = x[blockIdx.x * blockDim.x + tid];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (tid % 32 == 0)
        y[blockIdx.x * 2 + tid / 32] = sum;
}

__global__ void in_the_first_warp(const float *x, float *y)
{
    __shared__ float s[1024];
    int tid = threadIdx.x;
    s[tid] = x[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    float sum = s[tid];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (tid / 32 == 0)
        if (tid % 32 == 0)
            y[blockIdx.x] = sum;
}

__global__ void first_of_the_grid(const float *x, float *y)
{
    __shared__ float s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = x[i];
    __syncthreads();

    if (i == 0)
        y[0] = s[0];
    if (!threadIdx.x)
        y[1 + blockIdx.x] = s[0];
}

__global__ void only_thread_of_the_grid(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // The others have nothing to do.
    if (i == 0) {
        float sum = 0;
        for (int k = 0; k < n; ++k)
            sum += p[k];
        p[0] = sum;
    }
}

// A compiler cannot know that there is such a thread: without a value it warns.
template <typename T> __global__ void one_thread_of_some(const T *x, T *y, int which)
{
    __shared__ T chosen;
    __shared__ int place;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == which) {
        chosen = x[i];
        place = i;
    }
    __syncthreads();
    y[i] = x[i] * chosen + place;
}

// Nobody asks how many lanes the one thread's warp has.
__global__ void one_thread_goes_on(int m, int *next, float *y)
{
    __shared__ int place;
    if (threadIdx.x == 0)
        place = atomicAdd(next, 1);
    __syncthreads();
    while (place < m) {
        if (place % 3 == 0) {
            if (threadIdx.x == 0)
                place = atomicAdd(next, 1);
            __syncthreads();
            continue;
        }
        y[place * blockDim.x + threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0)
            place = atomicAdd(next, 1);
        __syncthreads();
    }
}

__global__ void one_thread_of_rows(int *y, int *next)
{
    __shared__ int place;
    if (threadIdx.y == 0 && threadIdx.x == 0)
        place = atomicAdd(next, 1);
    __syncthreads();
    if (threadIdx.y == 0)
        y[place * blockDim.x + threadIdx.x] += 1;
}
void rows(int *y, int *next) { one_thread_of_rows<<<3, 32>>>(y, next); }
