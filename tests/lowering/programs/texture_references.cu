// Texture references: linear memory, pitched memory and arrays; through macros and pointers.
#include <cstdio>

texture<float, 1, cudaReadModeElementType> linear;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<float, cudaTextureType2D, cudaReadModeElementType> image;
#define BIND(t, memory, desc, bytes) cudaBindTexture(NULL, &t, memory, &desc, bytes)

__global__ void sample(float *out, int n)
{
    int i = threadIdx.x;
    __shared__ float row[8];
    row[i] = tex1Dfetch(linear, n - i);
    __syncthreads();
    float4 c = tex2D(colours, i + 0.5f, 1.5f);
    out[i] = row[7 - i] + c.x + 10 * c.w;
    out[8 + i] = tex2D(image, 0.125f * i, 0.5f);
}

int main()
{
    float host[16], *memory, *out;
    unsigned char bytes[64];
    for (int i = 0; i < 16; ++i)
        host[i] = i * 0.5f;
    for (int i = 0; i < 64; ++i)
        bytes[i] = 3 * i;
    cudaMalloc(&memory, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    BIND(linear, memory, desc, sizeof host);
    uchar4 *pixels;
    size_t pitch, offset = 1;
    cudaMallocPitch(&pixels, &pitch, 8 * sizeof(uchar4), 2);
    cudaMemcpy2D(pixels, pitch, bytes, 32, 32, 2, cudaMemcpyHostToDevice);
    cudaBindTexture2D(&offset, colours, pixels, 8, 2, pitch);
    cudaArray *array;
    cudaMallocArray(&array, &desc, 4, 4);
    cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyHostToDevice);
    image.normalized = true;
    image.filterMode = cudaFilterModeLinear;
    image.addressMode[0] = cudaAddressModeWrap;
    cudaBindTextureToArray(image, array);
    sample<<<1, 8>>>(out, 12);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; ++i)
        printf("%g\n", host[i]);
    cudaUnbindTexture(linear);
    cudaUnbindTexture(&image);
    cudaFreeArray(array);
    return offset != 0;
}
