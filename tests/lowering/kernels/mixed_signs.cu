// The author compares an unsigned counter with a signed count: a cast says what is compared.
__global__ void sums(float *y, const float *x, int n, unsigned m)
{
    __shared__ float s[64];
    float sum = 0;
    for (unsigned i = 0; i < n; i += 64) {
        s[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < m; ++j)
            sum += s[(j + threadIdx.x) % 64];
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch(float *y, const float *x, int n)
{
    sums<<<4, 64>>>(y, x, n, 8);
}

// What elements, members and calls give is signed as well.
struct Limits {
    int most;
};

__device__ int twice(int n) { return 2 * n; }

__global__ void compare_with_values(const int *limits, Limits all, unsigned *y, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= twice(n))
        return;
    unsigned sum = 0;
    for (unsigned k = 0; k < limits[0]; k++)
        sum += k;
    for (unsigned k = 0; k < __popc(n) - 1; k++)
        sum += k;
    for (size_t k = 0; k < all.most; k++)
        sum += i;
    if (sum > max(n, limits[1]))
        sum = 0;
    y[i] = sum;
}

// An argument of a template has a type of its own.
template <int PARTS> __global__ void parts_of_all(float *x, unsigned n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    for (int j = i; j < n / PARTS; j += 64 * gridDim.x)
        sum += x[j];
    sum += __shfl_down_sync(0xffffffff, sum, 4);
    x[i] = sum;
}
