// A reduction whose operation and element function are functors, as frameworks write it.
// g2o-verify: reduce<<<2, 16>>>(n = 50, x = [n], partial = [2])
struct Square {
    double scale;
    __device__ double operator()(double v) const { return scale * v * v; }
};

template <class F> __device__ double sum_of(const double *x, int begin, int end, int step, F f)
{
    double sum = 0.0;
    for (int i = begin; i < end; i += step)
        sum += f(x[i]);
    return sum;
}

__global__ void reduce(const double *x, double *partial, double scale, int n)
{
    __shared__ double s[16];
    Square square{scale};
    s[threadIdx.x] = sum_of(x, blockIdx.x * 16 + threadIdx.x, n, gridDim.x * 16, square);
    __syncthreads();
    for (int k = 8; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
}
