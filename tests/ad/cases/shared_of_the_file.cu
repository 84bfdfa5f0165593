// Dynamic shared memory that the file declares: its derivatives have memory of their own.
// g2o-verify: three_parts<<<2, 8, 192>>>(x = [16], y = [16])
// g2o-verify: rows<<<2, 8, 256>>>(x = [16], y = [16])
extern __shared__ double buffer[];
extern __shared__ double table[][4];

__global__ void three_parts(const double *x, double *y)
{
    double *a = buffer, *b = buffer + blockDim.x, *c = b + blockDim.x;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    a[t] = x[i];
    b[t] = x[i] * x[i];
    __syncthreads();
    c[t] = a[(t + 1) % 8] * b[(t + 3) % 8];
    __syncthreads();
    a[t] = c[(t + 5) % 8] * b[t];
    __syncthreads();
    y[i] = a[7 - t] + c[t];
}

__device__ double of_row(int row)
{
    return table[row][0] * table[row][3];
}

__global__ void rows(const double *x, double *y)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int j = 0; j < 4; ++j)
        table[t][j] = x[i] * (j + 1) + 0.5;
    __syncthreads();
    y[i] = of_row((t + 1) % 8) * x[i];
}
