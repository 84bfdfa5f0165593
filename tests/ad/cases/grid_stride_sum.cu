// A reduction over the grid: a loop with the stride of the grid, a tree, and one atomicAdd a block.
// g2o-verify: norm<<<3, 16>>>(n = 130, x = [n], result = [1])
__global__ void norm(const float *x, float *result, int n)
{
    __shared__ float s[16];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * x[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 8; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(result, s[0]);
}
