// Copies between memory and arrays, in streams and from one array to another.
#include <cstdio>
#include <cuda_runtime.h>

int main() {
    const int width = 16, height = 4, row = width * sizeof(float);
    float from[width * height], to[width * height] = {};
    for (int i = 0; i < width * height; ++i)
        from[i] = i;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t one, other;
    cudaMallocArray(&one, &format, width, height);
    cudaMallocArray(&other, &format, width, height);
    cudaMemcpyToArrayAsync(one, 0, 0, from, row * height, cudaMemcpyHostToDevice, stream);
    cudaMemcpyToArrayAsync(other, 0, 0, from, row * height, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy2DArrayToArray(other, 8, 1, one, 0, 0, 8, 2);
    cudaMemcpy2DFromArrayAsync(to, row, other, 0, 1, row, 2, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyFromArrayAsync(to + 2 * width, one, 4, 3, 8, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%g %g %g %g %g %g\n", to[1], to[2], to[3], to[4], to[width + 3], to[2 * width]);
    cudaFreeArray(one);
    cudaFreeArray(other);
    cudaStreamDestroy(stream);
    return 0;
}
// output: 17 0 1 20 17 49
