// Functions of single elements.

// Where element `i` of a result lies in an operand that is broadcast to it: strides are 0 along the
// axes that it does not have.
__device__ int offset_of(int i, int n1, int n2, int n3, int s0, int s1, int s2, int s3)
{
    int at = (i % n3) * s3;
    i /= n3;
    at += (i % n2) * s2;
    i /= n2;
    at += (i % n1) * s1;
    return at + (i / n1) * s0;
}

// z = x * y, of operands that are broadcast; sizes n1 to n3 are those of the last three axes.
template <typename scalar_t>
__global__ void mul_broadcast(int count, int n1, int n2, int n3, int x0, int x1, int x2, int x3,
                              int y0, int y1, int y2, int y3, const scalar_t *x, const scalar_t *y,
                              scalar_t *z)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        z[i] = x[offset_of(i, n1, n2, n3, x0, x1, x2, x3)] *
               y[offset_of(i, n1, n2, n3, y0, y1, y2, y3)];
}

template <typename scalar_t>
__global__ void gelu(int count, const scalar_t *x, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = x[i] * scalar_t(0.5) * (scalar_t(1) + erf(x[i] * scalar_t(0.70710678118654752)));
}

template <typename scalar_t>
__global__ void silu(int count, const scalar_t *x, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = x[i] / (scalar_t(1) + exp(-x[i]));
}

// Rows of x with a bias for each column, cut off below zero.
template <typename scalar_t>
__global__ void bias_relu(int rows, int columns, const scalar_t *x, const scalar_t *bias,
                          scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns)
        return;
    scalar_t value = x[i] + bias[i % columns];
    y[i] = value > scalar_t(0) ? value : scalar_t(0);
}

// A number below one for each seed and index: a hash of both (the mixer of SplitMix64).
__device__ float uniform(unsigned long long seed, unsigned long long index)
{
    unsigned long long z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return float((z ^ (z >> 31)) >> 40) * (1.0f / 16777216.0f);
}

template <typename scalar_t>
__global__ void dropout(int count, unsigned long long seed, float p, const scalar_t *x, scalar_t *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = uniform(seed, i) < p ? scalar_t(0) : x[i] / scalar_t(1 - p);
}
