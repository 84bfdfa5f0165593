// A launch is a call where it stands: it can wait for nothing.
__global__ void child(int *x)
{
    x[threadIdx.x] += 1;
}

__global__ void parent(int *x)
{
    if (threadIdx.x == 0)
        child<<<1, 32, 0, cudaStreamTailLaunch>>>(x);
}

__global__ void by_pointer(void (*kernel)(int *), int *x)
{
    kernel<<<1, 32>>>(x);
}

__device__ cudaStream_t stream_of(int priority);

__global__ void in_some_stream(int *x)
{
    child<<<1, 32, 0, stream_of(1)>>>(x);
}

int main()
{
    parent<<<1, 1>>>(nullptr);
}
