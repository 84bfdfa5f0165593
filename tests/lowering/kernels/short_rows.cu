// Rows of a block whose length is constant: the usual one lies inside of the matrix as a whole.
template <int TILE>
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx;
    int y = blockIdx.y * TILE + ty;
    left[ty][tx] = y < n && tx < n ? a[y * n + tx] : 0.0f;
    right[ty][tx] = x < n ? b[ty * n + x] : 0.0f;
    float sum = 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
        sum += left[ty][k] * right[k][tx];
    c[y * n + x] = sum;
}

// The number of turns is not known, so that each turn goes through the row.
__global__ void outer(const float *a, float *c, int n)
{
    __shared__ float row[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    row[ty][tx] = a[ty * 8 + tx];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum += row[ty][k % 8] * a[k * 8 + tx];
    c[ty * 8 + tx] = sum;
}

template <int TILE>
void tiles(const float *a, const float *b, float *c, int n)
{
    multiply<TILE><<<dim3(4, 4), dim3(TILE, TILE)>>>(a, b, c, n);
}

void run(const float *a, const float *b, float *c, int n)
{
    tiles<16>(a, b, c, n);
    tiles<32>(a, b, c, n);
    outer<<<1, dim3(8, 8)>>>(a, c, n);
}
