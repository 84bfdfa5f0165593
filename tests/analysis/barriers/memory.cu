// No store to these arrays can go, and none of them is a thread's own.

// Another thread writes the element in between.
__global__ void written_between(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = 5;
    __syncthreads();
    s[(threadIdx.x + 1) % 64] = threadIdx.x;
    __syncthreads();
    s[threadIdx.x] = s[threadIdx.x] * 2;
    y[threadIdx.x] = s[63 - threadIdx.x];
}

// Every thread has four elements.
__global__ void element_for_each_iteration(int *y)
{
    __shared__ int s[256];
    int sum = 0;
    for (int k = 0; k < 8; ++k) {
        if (k < 4)
            s[threadIdx.x * 4 + k % 4] = k;
        else
            sum += s[threadIdx.x * 4 + k % 4] << k;
    }
    y[threadIdx.x] = sum;
}

// What is in the array lasts from iteration to iteration.
__global__ void declared_in_loop(int *y)
{
    int sum = 0;
    for (int k = 0; k < 4; ++k) {
        __shared__ int s[64];
        if (k == 0)
            s[threadIdx.x] = threadIdx.x;
        sum += s[threadIdx.x];
    }
    y[threadIdx.x] = sum;
}

// The variable has another name.
__global__ void bound_to_reference(int *y)
{
    __shared__ int s;
    int &r = s;
    if (threadIdx.x == 0)
        r = gridDim.x;
    __syncthreads();
    y[threadIdx.x] = s;
}

// Other threads change what it was computed from before they have all computed it.
__global__ void source_changes(int *y)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = y[0];
    y[threadIdx.x] = 5;
    __syncthreads();
    y[threadIdx.x] += s;
}

void launches(int *y)
{
    bound_to_reference<<<1, 64>>>(y);
    source_changes<<<1, 64>>>(y);
    written_between<<<1, 64>>>(y);
    element_for_each_iteration<<<1, 64>>>(y);
    declared_in_loop<<<1, 64>>>(y);
}
