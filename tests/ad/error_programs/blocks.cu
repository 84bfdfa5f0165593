// Threads that work together: shared memory, barriers, lanes, atomics.

// Time steps of the heat equation in a tile.
template <class X, class U, class Flux, class Y>
__global__ void heat(const X *x, Y *y, int steps)
{
    __shared__ U u[64];
    int t = threadIdx.x;
    u[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 0; k < steps; ++k) {
        Flux flux = 0;
        if (t > 0 && t < 63)
            flux = 0.2 * (u[t - 1] - 2.0 * u[t] + u[t + 1]);
        __syncthreads();
        u[t] += flux;
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = u[t];
}

// The sum of a block in a tree, those of all blocks by an atomic addition.
template <class X, class V, class S, class Y>
__global__ void norms(const X *x, Y *total, int n)
{
    __shared__ S s[64];
    int t = threadIdx.x;
    V v = 0;
    for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64)
        v += x[i] * x[i];
    s[t] = v;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(total, s[0]);
}

// A product of matrices in tiles.
template <class A, class B, class Tile, class Sum, class C>
__global__ void matmul(const A *a, const B *b, C *c, int n)
{
    __shared__ Tile left[8][8];
    __shared__ Tile right[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx;
    Sum sum = 0;
    for (int k = 0; k < n; k += 8) {
        left[ty][tx] = a[row * n + k + tx];
        right[ty][tx] = b[(k + ty) * n + column];
        __syncthreads();
        for (int j = 0; j < 8; ++j)
            sum += left[ty][j] * right[j][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Rows that are divided by their sum.
template <class X, class E, class Sum, class Y>
__global__ void softmax(const X *x, Y *y)
{
    __shared__ E e[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    e[t] = exp(x[i] * 2.0);
    __syncthreads();
    Sum sum = 0;
    for (int k = 0; k < 32; ++k)
        sum += e[k];
    y[i] = e[t] / sum;
}

// A sum over the lanes of a warp.
template <class X, class V, class Y>
__global__ void lanes(const X *x, Y *y)
{
    V v = sin(x[blockIdx.x * 32 + threadIdx.x] * 3.0);
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, k);
    y[blockIdx.x * 32 + threadIdx.x] = v * x[blockIdx.x * 32 + threadIdx.x];
}
