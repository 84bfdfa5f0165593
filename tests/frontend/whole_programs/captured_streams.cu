// out: 4 3 52 10 7 1 40 22
#include <cstdio>
#include <cstring>
#include <vector>

struct Data {
    int *values;
    int n;
};

__constant__ int factor;

__global__ void add(int *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += by;
}

template <typename T> __global__ void scale(Data data, T)
{
    __shared__ T s[32];
    s[threadIdx.x] = data.values[threadIdx.x] * factor;
    __syncthreads();
    if (threadIdx.x < data.n)
        data.values[threadIdx.x] = s[threadIdx.x];
}

// The launch says neither which function it is nor all of its arguments.
template <int By, typename T> __global__ void plus(T *p, int n = 32, T times = 1)
{
    if (threadIdx.x < n)
        p[threadIdx.x] += By * times;
}

__global__ void reverse(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

void enqueue_two(cudaStream_t stream, int *d, int n)
{
    add<<<1, 32, 0, stream>>>(d, n, 1);
    scale<int><<<1, 32, 0, stream>>>(Data{d, n}, 1);
}

void count(void *calls)
{
    ++*static_cast<int *>(calls);
}

int main()
{
    const int n = 32;
    int two = 2, calls = 0;
    std::vector<int> h(n, 1);
    int *d, *e;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&e, n * sizeof(int));
    cudaMemset(e, 0, n * sizeof(int));
    cudaMemcpyToSymbol(factor, &two, sizeof two);
    cudaStream_t stream, other;
    cudaStreamCreate(&stream);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);

    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int k = 0; k < 2; ++k) {
        enqueue_two(stream, d, n);
        h[0] = 5; // read when the graph runs
    }
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(other, fork, 0);
    add<<<1, n, 0, other>>>(e, n, two + 3);
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join, 0);
    plus<7><<<1, n, 0, stream>>>(d);
    plus<-7><<<1, n, 0, stream>>>(d, n, two - 101 + 100);
    reverse<<<1, n, n * sizeof(int), stream>>>(d);
    cudaMemcpyAsync(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, count, &calls);
    two = 100; // the launches above took what it was
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(other, &status);
    cudaStreamEndCapture(stream, &graph);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    std::printf("%d\n", int(nodes) - 6);
    cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
    cudaGraphDestroy(graph);

    for (int k = 0; k < 3; ++k) {
        int start[n];
        for (int i = 0; i < n; ++i)
            start[i] = i % 8 + k;
        cudaMemcpyAsync(d, start, sizeof start, cudaMemcpyHostToDevice, stream);
        cudaGraphLaunch(executable, stream);
        cudaStreamSynchronize(stream);
    }
    std::printf("%d %d\n", calls, h[1] + h[31]);
    add<<<1, n, 0, other>>>(e, n, -5);
    add<<<1, n, 0, other>>>(0, 0, 1); // a null pointer
    int sum;
    cudaMemcpy(&sum, e, sizeof sum, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d %d %d\n", sum, status == cudaStreamCaptureStatusActive ? 7 : 0,
                calls == 3, (h[0] - 6) / 4 * 5 - 5, h[0] - 20);
    cudaGraphExecDestroy(executable);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
}
