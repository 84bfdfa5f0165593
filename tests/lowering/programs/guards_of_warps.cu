// Guards of several returns in front of what warps do: what the first asks is declared once
#include <cstdio>

template <int OFFSET> struct Tree {
    static __device__ void run(double *array, double *out, int weight)
    {
        if (OFFSET > 16)
            __syncthreads();
        if (threadIdx.x < OFFSET) {
            array[threadIdx.x] = weight * array[threadIdx.x] + array[threadIdx.x + OFFSET];
            Tree<OFFSET / 2>::run(array, out, weight + 1);
        }
    }
};

template <> struct Tree<0> {
    static __device__ void run(double *array, double *out, int weight)
    {
        out[blockIdx.x] = array[0] + weight;
    }
};

__global__ void weighted(int width, int height, const double *x, double *y)
{
    __shared__ double part[128];
    part[threadIdx.x] = 0.0;
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= width * height)
        return;
    part[threadIdx.x] = x[i] * x[i];
    Tree<64>::run(part, y, 3);
}

// A form of a class for one number, whose methods are templates.
template <int OFFSET> struct Halves {
    template <typename T> static __device__ void run(T *array, T *out)
    {
        __syncthreads();
        if (threadIdx.x < OFFSET)
            array[threadIdx.x] += array[threadIdx.x + OFFSET];
        Halves<OFFSET / 2>::run(array, out);
    }
};

template <> struct Halves<0> {
    template <typename T> static __device__ void run(T *array, T *out)
    {
        if (threadIdx.x == 0)
            out[blockIdx.x] = array[0];
    }
};

__global__ void halved(const int *x, int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    Halves<32>::run(s, y);
}

__global__ void twice(const int *x, int *y, int n)
{
    __shared__ int s[128];
    s[threadIdx.x] = 0;
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    s[threadIdx.x] = x[i] + i % 7;
    __syncthreads();
    if (threadIdx.x < 64) {
        const int mine = s[threadIdx.x + 64];
        s[threadIdx.x] -= mine;
        __syncthreads();
        if (threadIdx.x < 32) {
            const int more = s[threadIdx.x + 32];
            s[threadIdx.x] -= more;
            __syncthreads();
            y[threadIdx.x] = s[31 - threadIdx.x] + mine + more;
        }
    }
}

int main()
{
    const int n = 256;
    double *x, *y;
    int *a, *b;
    cudaMallocManaged(&x, n * sizeof(double));
    cudaMallocManaged(&y, n * sizeof(double));
    cudaMallocManaged(&a, n * sizeof(int));
    cudaMallocManaged(&b, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        x[i] = i % 13 * 0.25;
        y[i] = 0.0;
        a[i] = i * 3 % 17;
        b[i] = 0;
    }
    weighted<<<2, 128>>>(16, 15, x, y);
    twice<<<1, 128>>>(a, b, 128);
    halved<<<4, 64>>>(a, b + 32);
    cudaDeviceSynchronize();
    printf("%g %g\n", y[0], y[1]);
    for (int i = 0; i < 36; ++i)
        printf("%d ", b[i]);
    printf("\n");
    cudaFree(x);
    cudaFree(y);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
