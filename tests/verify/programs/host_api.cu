// Errors, streams, events, pointers, properties and copies of the runtime API.
#include <cstdio>

__global__ void touch(int *x) { x[threadIdx.x] = threadIdx.x; }
void CUDART_CB called(void *data) { ++*(int *)data; }

int main() {
    int *device, *pinned, local = 0, count = 0;
    printf("%d\n", cudaMalloc(&device, (size_t)1 << 60));
    cudaError_t error = cudaPeekAtLastError(), again = cudaGetLastError();
    printf("%s %s %d\n", cudaGetErrorName(error), cudaGetErrorString(again), cudaGetLastError());
    printf("%d\n", cudaFree(&local));
    cudaGetLastError();
    cudaGetDeviceCount(&count);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%d %d %d %d\n", count, p.warpSize, p.maxThreadsPerBlock, cudaSetDevice(count));
    cudaGetLastError();
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc(&device, 64 * sizeof(int));
    cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocDefault);
    cudaEventRecord(start, stream);
    touch<<<1, 64, 0, stream>>>(device);
    cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, called, &local);
    cudaEventRecord(stop, stream);
    cudaEventSynchronize(stop);
    float ms = -1;
    printf("%d %d\n", cudaEventElapsedTime(&ms, start, stop), cudaStreamSynchronize(stream));
    printf("%d %d %d\n", pinned[63], local, ms >= 0);
    cudaPointerAttributes at;
    cudaPointerGetAttributes(&at, device + 3);
    printf("%d ", at.type == cudaMemoryTypeDevice);
    cudaPointerGetAttributes(&at, pinned);
    printf("%d\n", at.type == cudaMemoryTypeHost);
    touch<<<0, 64>>>(device);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(stream);
    printf("%d %d\n", cudaFreeHost(pinned), cudaFree(device));
}
// output: 2
// output: cudaErrorMemoryAllocation out of memory 0
// output: 1
// output: 1 32 1024 101
// output: 0 0
// output: 63 1 1
// output: 1 1
// output: cudaErrorInvalidConfiguration
// output: 0 0
