// A tile in a march through planes, and registers that hand elements on: the elements are read.
#include <cuda_runtime.h>
#define TX 32
#define TY 8
__global__ void planes(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float s[TY + 2][TX + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.x * TX + tx + 1, j = blockIdx.y * TY + ty + 1;
    int plane = nx * ny, p = j * nx + i;
    float below = in[p], here = in[p + plane];
    for (int k = 1; k < nz - 1; k++) {
        p += plane;
        float above = in[p + plane];
        __syncthreads();
        s[ty + 1][tx + 1] = here;
        if (tx == 0) s[ty + 1][0] = in[p - 1];
        if (tx == TX - 1) s[ty + 1][TX + 1] = in[p + 1];
        if (ty == 0) s[0][tx + 1] = in[p - nx];
        if (ty == TY - 1) s[TY + 1][tx + 1] = in[p + nx];
        __syncthreads();
        out[p] = below + above + s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] + s[ty + 2][tx + 1] - 6.0f * here;
        below = here;
        here = above;
    }
}
void launch(const float *in, float *out, int nx, int ny, int nz)
{
    float *x, *y;
    cudaMalloc(&x, sizeof(float) * nx * ny * nz);
    cudaMalloc(&y, sizeof(float) * nx * ny * nz);
    cudaMemcpy(x, in, sizeof(float) * nx * ny * nz, cudaMemcpyHostToDevice);
    planes<<<dim3((nx - 2) / TX, (ny - 2) / TY), dim3(TX, TY)>>>(x, y, nx, ny, nz);
    cudaMemcpy(out, y, sizeof(float) * nx * ny * nz, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
}
