// Headers in C declare what streams and events are themselves, to do without CUDA's.

extern "C" {
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *Mark;

struct Options {
    int count;
    CUstream stream;
    Mark mark;
};
}

#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

class Doubling {
public:
    explicit Doubling(CUstream stream) : stream_(stream) {}
    void run(float *x, int n) { twice<<<(n + 63) / 64, 64, 0, stream_>>>(x, n); }

private:
    CUstream stream_;
};

int main()
{
    Options options{100, nullptr, nullptr};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEventCreate(&options.mark);
    options.stream = stream;
    float *x;
    cudaMallocManaged(&x, options.count * sizeof(float));
    for (int i = 0; i < options.count; i++)
        x[i] = i;
    Doubling(options.stream).run(x, options.count);
    cudaEventRecord(options.mark, options.stream);
    cudaEventSynchronize(options.mark);
    for (int i = 0; i < options.count; i += 9)
        printf("%g\n", x[i]);
    cudaEventDestroy(options.mark);
    cudaStreamDestroy(options.stream);
    cudaFree(x);
}
