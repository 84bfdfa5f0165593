// The waves of a triangle: where the counter stays below the width, it alone is the bound.
#define W 16
__global__ void waves(float *a, int n)
{
    __shared__ float s[W][W];
    for (int r = 0; r < W; ++r)
        s[r][threadIdx.x] = a[r * n + threadIdx.x];
    __syncthreads();
    for (int m = 0; m < W; ++m) {
        if (threadIdx.x <= m)
            s[m - threadIdx.x][threadIdx.x] += 1.0f;
        __syncthreads();
    }
    for (int m = 0; m < W + 4; m += 2) {
        if (threadIdx.x < m)
            s[0][threadIdx.x] *= 2.0f;
        __syncthreads();
    }
    for (int r = 0; r < W; ++r)
        a[r * n + threadIdx.x] = s[r][threadIdx.x];
}

void run(float *a, int n) { waves<<<1, W>>>(a, n); }
