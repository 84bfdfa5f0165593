// Texture objects on linear memory and arrays, filtered and not; 3-D copies; surfaces.
#include <cstdio>

__global__ void sample(cudaTextureObject_t linear, cudaTextureObject_t image, float *out) {
    out[0] = tex1Dfetch<float>(linear, 3);
    out[1] = tex2D<float>(image, 1.5f, 0.5f);
    out[2] = tex2D<float>(image, 1.0f, 1.0f);
    out[3] = tex2D<float>(image, -5.0f, 1.5f);
}

int main() {
    float host[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *memory, *out;
    cudaMallocManaged(&out, 4 * sizeof(float));
    cudaMalloc(&memory, sizeof host);
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 4, 2);
    cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 2, cudaMemcpyHostToDevice);
    cudaResourceDesc flat = {}, picture = {};
    flat.resType = cudaResourceTypeLinear;
    flat.res.linear.devPtr = memory;
    flat.res.linear.desc = format;
    flat.res.linear.sizeInBytes = sizeof host;
    picture.resType = cudaResourceTypeArray;
    picture.res.array.array = array;
    cudaTextureDesc point = {}, filtered = {};
    filtered.filterMode = cudaFilterModeLinear;
    filtered.addressMode[0] = filtered.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t a, b;
    cudaCreateTextureObject(&a, &flat, &point, nullptr);
    cudaCreateTextureObject(&b, &picture, &filtered, nullptr);
    sample<<<1, 1>>>(a, b, out);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    cudaDestroyTextureObject(a);
    cudaDestroyTextureObject(b);
    cudaFreeArray(array);
}
// output: 3 1 2.5 4
