// Maxima and minima of whole blocks by CUB: the derivative goes to the first thread that has them.
#include <cub/cub.cuh>

// g2o-verify: softmax<64><<<3, 64>>>(x = [3 * n], y = [3 * n], n = 50)
template <int THREADS> __global__ void softmax(const float *x, float *y, int n)
{
    using BlockReduce = cub::BlockReduce<float, THREADS>;
    __shared__ typename BlockReduce::TempStorage storage;
    __shared__ float largest, sum;
    const float *row = x + blockIdx.x * n;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < n; i += THREADS)
        m = fmaxf(m, row[i]);
    m = BlockReduce(storage).Reduce(m, cub::Max());
    if (threadIdx.x == 0)
        largest = m;
    __syncthreads();
    float s = 0.0f;
    for (int i = threadIdx.x; i < n; i += THREADS)
        s += expf(row[i] - largest);
    s = BlockReduce(storage).Sum(s);
    if (threadIdx.x == 0)
        sum = s;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS)
        y[blockIdx.x * n + i] = expf(row[i] - largest) / sum;
}
void launch(const float *x, float *y, int rows, int n)
{
    softmax<64><<<rows, 64>>>(x, y, n);
}

// g2o-verify: scaled<<<3, 64>>>(x = [3 * 64 : -1 .. 1], y = [3 * 64], range = [3])
__global__ void scaled(const double *x, double *y, double *range)
{
    typedef cub::BlockReduce<double, 64> Reduce;
    __shared__ Reduce::TempStorage first, second;
    __shared__ double scale;
    int i = blockIdx.x * 64 + threadIdx.x;
    double v = x[i];
    double most = Reduce(first).Reduce(fabs(v), cub::Max());
    double least = Reduce(second).Reduce(v * v * v, cub::Min());
    if (threadIdx.x == 0) {
        scale = most;
        range[blockIdx.x] = most * least;
    }
    __syncthreads();
    y[i] = v / scale;
}

// g2o-verify: tiles<<<2, dim3(8, 8)>>>(x = [2 * 64 : -1 .. 1], y = [2 * 64])
__global__ void tiles(const double *x, double *y)
{
    typedef cub::BlockReduce<double, 8, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8> Reduce;
    __shared__ Reduce::TempStorage storage;
    __shared__ double most;
    int t = threadIdx.y * 8 + threadIdx.x;
    double v = x[blockIdx.x * 64 + t];
    double m = Reduce(storage).Reduce(sin(v), cub::Max());
    if (t == 0)
        most = m;
    __syncthreads();
    y[blockIdx.x * 64 + t] = v * most * most;
}
