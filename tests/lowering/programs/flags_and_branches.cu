// Truth values in integers are guards; what both branches of a choice give belongs to the branch
// around it, and is kept for nobody.
#include <cstdio>

#define BX 8
#define BY 4

__global__ void march(int nx, int ny, int nz, const float *a, float *b)
{
    __shared__ float s[BY + 2][BX + 2];
    int i, j, active, inner, kept = 5;
    float value, other, sixth = 1.0f / 6;
    i = threadIdx.x + blockIdx.x * BX;
    j = threadIdx.y + blockIdx.y * BY;
    active = (i < nx) && (j < ny);
    inner = i > 0 & j > 0;
    for (int c = threadIdx.y * BX + threadIdx.x; c < (BY + 2) * (BX + 2); c += BX * BY)
        s[c / (BX + 2)][c % (BX + 2)] = 0;
    __syncthreads();
    for (int k = 0; k < nz; ++k) {
        if (active)
            s[threadIdx.y + 1][threadIdx.x + 1] = a[(k * ny + j) * nx + i];
        __syncthreads();
        if (active) {
            if (i == 0 || k == 0)
                value = s[threadIdx.y + 1][threadIdx.x + 1];
            else
                value = s[threadIdx.y + 1][threadIdx.x] * sixth;
            if (inner)
                value += kept;
            b[(k * ny + j) * nx + i] = value;
        }
        switch (k % 3) {
        case 0: other = 1; break;
        case 1: other = i; kept = i; break;
        default: other = j;
        }
        __syncthreads();
        if (active)
            b[(k * ny + j) * nx + i] += other;
        if (k > 1 && active)
            b[(k * ny + j) * nx + i] -= other * kept; // of two turns before, at times
    }
}

int main()
{
    const int nx = 19, ny = 10, nz = 5, n = nx * ny * nz;
    float *a, *b;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    for (int i = 0; i < n; ++i)
        a[i] = i * 37 % 53;
    march<<<dim3(3, 3), dim3(BX, BY)>>>(nx, ny, nz, a, b);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += double(b[i]) * (i % 11 + 1);
    std::printf("%.6f %g %g\n", sum, b[100], b[n - 1]);
}
