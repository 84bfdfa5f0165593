// Textures at namespace scope, of CUDA before version 12: kernels and device functions read what
// the host has bound last.
#include <cstdio>

#include <cuda_runtime.h>

texture<float, 1, cudaReadModeElementType> line;
static texture<unsigned char, 2, cudaReadModeNormalizedFloat> image(0, cudaFilterModePoint);

__device__ float both(int i) { return tex1Dfetch(line, i) + tex1Dfetch(line, i + 1); }

__global__ void pairs(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = both(i);
}

__global__ void look(float *out, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width * height)
        out[i] = tex2D(image, float(i % width) + 0.5f, float(i / width) + 0.5f);
}

static void print(const char *title, const float *x, int n)
{
    float h[64];
    cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s", title);
    for (int i = 0; i < n; ++i)
        printf(" %.4f", h[i]);
    printf("\n");
}

int main()
{
    const int n = 32, width = 8, height = 4;
    float h[n], *a, *b, *out;
    unsigned char pixels[height][width];
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&out, sizeof h);
    for (int i = 0; i < n; ++i)
        h[i] = float(i);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    for (int i = 0; i < n; ++i)
        h[i] = float(100 - 2 * i);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);

    cudaBindTexture(nullptr, line, a, sizeof h);
    pairs<<<2, 16>>>(out, n);
    print("first", out, n);
    cudaUnbindTexture(line);
    cudaBindTexture(nullptr, line, b, sizeof h);
    pairs<<<2, 16>>>(out, n);
    print("second", out, n);

    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            pixels[y][x] = (unsigned char)(x * 20 + y);
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, width, height);
    cudaMemcpy2DToArray(array, 0, 0, pixels, width, width, height, cudaMemcpyHostToDevice);
    image.addressMode[0] = cudaAddressModeClamp;
    image.addressMode[1] = cudaAddressModeClamp;
    cudaBindTextureToArray(image, array);
    look<<<2, 16>>>(out, width, height);
    print("image", out, width * height);
    cudaFreeArray(array);
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    return 0;
}
