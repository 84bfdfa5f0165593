template <class F> __global__ void run(F f) { f(threadIdx.x); }

struct Runner {
    int *x;
    void go() const
    {
        int *y = x;
        auto number = [=] __device__(int) { y[blockDim.x * blockIdx.x] = threadIdx.x; };
        run<<<1, 32>>>(number);
    }
};

__device__ int twice(int i)
{
    auto lane = [&] { return i + threadIdx.x; };
    return lane();
}

__global__ void pairs(int *x) { x[threadIdx.x] = twice(1); }

int main()
{
    int *y;
    cudaMallocManaged(&y, 400);
    run<<<1, 32>>>([=] __device__(int) { y[4] = __shfl_sync(~0u, y[4], 0); });
    run<<<1, 32>>>([=] __device__(int i) {
        __shared__ int s[32];
        s[i] = y[i];
        __syncthreads();
        y[i] = s[31 - i];
    });
    run<<<1, 32>>>([=] __device__(int i) { y[i] = i; });
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    auto launch = [&](int n) {
        dim3 blockDim(properties.warpSize);
        pairs<<<n, blockDim>>>(y);
    };
    launch(1);
}
