// Textures and surfaces are parameters like any: reading one does not change it.
#include <cuda_runtime.h>

__global__ void rotate(cudaTextureObject_t image, float *out, int width, int height)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(image, width - x - 0.5f, y + 0.5f);
}

__global__ void invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    uchar4 pixel;
    surf2Dread(&pixel, in, x * 4, y);
    pixel.x = 255 - pixel.x;
    surf2Dwrite(pixel, out, x * 4, height - 1 - y);
}
