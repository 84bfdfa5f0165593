// out: 8 12 5
// Functions that get a stream for their launches alone, and others that use it.
#include <cstdio>

__global__ void add(int *x, int v) { x[threadIdx.x] += v; }

struct Worker {
    cudaStream_t stream;
    int *x;

    void add_to(int *y, cudaStream_t stream = 0) const { add<<<1, 4, 0, stream>>>(y, 1); }
    void add_own(cudaStream_t other) const
    {
        add<<<1, 4, 0, other>>>(x, 2);
        add<<<1, 4, 0, this->stream>>>(x, 2);
    }
};

extern "C" void add_twice(int *x, int v, const cudaStream_t s)
{
    for (int i = 0; i < 2; ++i)
        add<<<1, 4, 0, s>>>(x, v);
}

static void add_and_wait(int *x, cudaStream_t s)
{
    add<<<1, 4, 0, s>>>(x, 3);
    cudaStreamSynchronize(s);
}

template <typename T> void add_any(T *x, cudaStream_t s, T v) { add<<<1, 4, 0, s>>>(x, v); }

int main()
{
    int *x, *y;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocManaged(&x, 4 * sizeof(int));
    cudaMallocManaged(&y, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i)
        x[i] = y[i] = i;
    add_twice(x, 2, stream);
    Worker worker = {stream, x};
    worker.add_own(stream);
    worker.add_to(y, stream);
    add_and_wait(y, stream);
    add_any(x, stream, 1);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\n", x[0] - 1, x[3], y[1]);
    cudaStreamDestroy(stream);
}
