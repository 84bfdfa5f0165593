// A structure whose parts are the same for all threads is one per block, and may decide on barriers.
#include <cstdio>
#include <cuda_runtime.h>

struct Tasks {
    int count, first, current, dynamic;
    int *list, *next;
};

struct Place {
    int tasks[2];
    Tasks own;
};

__device__ Tasks tasks_of(int count, float share, int *list, int *next)
{
    Tasks tasks;
    tasks.count = count;
    tasks.first = 0;
    if (share >= 0.0f) {
        tasks.first = int(count * share);
        tasks.dynamic = 0;
    } else {
        tasks.dynamic = 1;
        tasks.list = list;
        tasks.next = next;
    }
    return tasks;
}

__device__ int first_of(Tasks *tasks)
{
    if (tasks->dynamic == 1) {
        if (threadIdx.x == 0)
            tasks->next[0] = atomicAdd(tasks->list, 1);
        __syncthreads();
        tasks->current = tasks->next[0];
        __syncthreads();
    } else {
        tasks->current = tasks->first + blockIdx.x;
    }
    return tasks->current;
}

__device__ bool more(const Tasks *tasks) { return tasks->current < tasks->count; }

__device__ int next_of(Tasks *tasks)
{
    if (tasks->dynamic == 1)
        return first_of(tasks);
    tasks->current += gridDim.x;
    return tasks->current;
}

__global__ void shared_out(int count, float share, float *y, int *list)
{
    __shared__ int next[1];
    Tasks tasks = tasks_of(count, share, list, next);
    for (int t = first_of(&tasks); more(&tasks); t = next_of(&tasks))
        y[t * blockDim.x + threadIdx.x] += t + threadIdx.x;
}

// One part differs between threads: so does the structure.
__global__ void apart(int n, int *y)
{
    __shared__ int s[32];
    Place place = {{n, n + 1}, {n, 0, 0, 0, nullptr, nullptr}};
    place.tasks[threadIdx.x % 2] += threadIdx.x;
    place.own.current = blockIdx.x;
    s[threadIdx.x] = place.tasks[0];
    __syncthreads();
    place.own.current += 2;
    y[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x] + place.tasks[1] + place.own.current;
}

// What a thread alone changes differs, too; what all change alike does not.
__global__ void guarded(int n, int *y)
{
    __shared__ int s[32];
    Tasks mine = {n, 1, 2, 3, nullptr, nullptr}, ours = {n, 1, 2, 3, nullptr, nullptr};
    if (threadIdx.x == 5)
        mine.current = 7;
    for (ours.current = 0; ours.current < 3; ours.current += ours.first) {
        s[threadIdx.x] = mine.current + ours.current;
        __syncthreads();
        y[blockIdx.x * 32 + threadIdx.x] += s[(threadIdx.x + 1) % 32] * ours.count;
        __syncthreads();
    }
}

// What a method does to memory it does not do to its object: no thread needs one of its own.
struct Lock {
    int *taken;
    __device__ void lock()
    {
        while (atomicCAS(taken, 0, 1) != 0)
            ;
        __threadfence();
    }
    __device__ void unlock()
    {
        __threadfence();
        atomicExch(taken, 0);
    }
};

__global__ void in_turn(Lock lock, const int *x, int *sum)
{
    __shared__ int s[32];
    s[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        lock.lock();
        for (int i = 0; i < 32; ++i)
            *sum += s[i];
        lock.unlock();
    }
}

int main()
{
    float *y;
    int *list, *out;
    cudaMallocManaged(&y, 10 * 32 * sizeof(float));
    cudaMallocManaged(&list, sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    list[0] = 0;
    for (int i = 0; i < 320; ++i)
        y[i] = 0;
    shared_out<<<3, 32>>>(10, -1.0f, y, list);
    shared_out<<<3, 32>>>(10, 0.25f, y, list);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 320; ++i)
        sum += y[i] * (i % 7);
    std::printf("%g\n", sum);
    for (int i = 0; i < 64; ++i)
        out[i] = 0;
    guarded<<<2, 32>>>(4, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i += 3)
        std::printf("%d ", out[i]);
    apart<<<2, 32>>>(4, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i += 3)
        std::printf("%d ", out[i]);
    Lock lock = {list};
    list[0] = 0;
    int *total = reinterpret_cast<int *>(y);
    total[0] = 0;
    in_turn<<<2, 32>>>(lock, out, total);
    cudaDeviceSynchronize();
    std::printf("%d\n", total[0]);
}
