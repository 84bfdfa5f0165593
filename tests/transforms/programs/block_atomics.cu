// Atomics on shared memory, whose updates are plain in the translation, and others.
#include <cstdio>

#define THREADS 64

__global__ void collect(const int *values, int *out, unsigned *flags)
{
    __shared__ int lowest, highest, count, taken;
    __shared__ unsigned ring, down, bits, slots[8];
    __shared__ float sum;
    __shared__ int list[THREADS];
    int *tail = &list[3];
    if (threadIdx.x == 0) {
        lowest = 1 << 30;
        highest = -1;
        count = taken = 0;
        ring = down = bits = 0;
        sum = 0;
    }
    list[threadIdx.x] = 0;
    if (threadIdx.x < 8)
        slots[threadIdx.x] = 0;
    __syncthreads();
    int value = values[blockIdx.x * THREADS + threadIdx.x];
    atomicMin(&lowest, value); // negative ones too
    atomicMax(&highest, value);
    atomicAdd(&sum, 0.5 * value); // rounded before it is added
    // Both wrap around.
    atomicInc(&ring, 6);
    atomicDec(&down, 9);
    atomicOr(&bits, 1u << (value & 31));
    if (value & 1) {
        int place = atomicAdd(&count, 1);
        atomicAdd(tail + place % 8, 1);
    }
    if (value > 3)
        atomicSub(&slots[value & 3], 1u);
    else
        atomicExch(&slots[4], 5u);
    unsigned old = atomicMax(&slots[5], (unsigned)value & 7);
    atomicCAS(&slots[6], 0u, 9u);
    int before = atomicExch(&slots[7], 3u);
    // Which slot a thread gets is open, not that each gets one.
    flags[blockIdx.x * THREADS + atomicAdd(&taken, 1)] = 1;
    atomicAdd(&out[15], old <= 7 && (before == 0 || before == 3));
    __syncthreads();
    if (threadIdx.x == 0) {
        int *mine = out + 16 * blockIdx.x;
        mine[0] = lowest;
        mine[1] = highest;
        mine[2] = count;
        mine[3] = ring;
        mine[4] = down;
        mine[5] = bits;
        mine[6] = sum;
        mine[7] = taken;
        for (int i = 0; i < 7; ++i)
            mine[8 + i] = slots[i] + list[3 + i];
    }
}

// What is kept in a register between two operations must not be the same for all threads.
__global__ void tickets(int *out)
{
    __shared__ int next, total;
    if (threadIdx.x == 0)
        next = total = 0;
    __syncthreads();
    int ticket = atomicAdd(&next, 2);
    __syncthreads();
    atomicAdd(&total, ticket);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = total + next;
}

template <class T> __global__ void sums(const T *values, T *out, int n)
{
    __shared__ T partial[4];
    if (threadIdx.x < 4)
        partial[threadIdx.x] = T(0);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&partial[i & 3], values[i]);
        atomicAdd(partial + 1, 1);
    }
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&out[threadIdx.x], partial[threadIdx.x]);
}

// The threads are not told apart, but every one of them counts.
__global__ void census(int *out)
{
    __shared__ int people;
    people = 0;
    __syncthreads();
    atomicAdd(&people, 1);
    __syncthreads();
    *out = people;
}

// Atomic for the threads of a block alone: those that run its threads one after the other need not
// be told, those that share them do.
__global__ void own_place(int *out)
{
    __shared__ int step;
    if (threadIdx.x == 0)
        step = blockIdx.x + 1;
    __syncthreads();
    atomicAdd_block(&out[blockIdx.x], step);
    atomicAdd(&out[2], step);
}

__global__ void every_eighth(int *out, const int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd_block(&out[i / 8], values[i]);
}

// Counted in functions, of which only some are about the memory of a block.
__device__ void tick(int *bins, int b) { atomicAdd(bins + (b & 3), 1); }

__device__ void tick_both(int *bins, int b)
{
    tick(bins, b);
    tick(bins, b >> 2);
}

__device__ int take(int *count, int step) { return atomicAdd(count, step); }

__device__ void climb(int *bins, int b)
{
    if (b > 0)
        climb(bins, b - 1);
    atomicMax(bins, b);
}

__global__ void in_functions(const int *values, int *out)
{
    __shared__ int bins[8], taken, top;
    if (threadIdx.x < 8)
        bins[threadIdx.x] = taken = top = 0;
    __syncthreads();
    int *own = bins + threadIdx.x / 32 * 4;
    int value = values[threadIdx.x];
    tick_both(own, value);
    if (value > 9)
        tick(out, value);
    int place = take(&taken, 2);
    atomicAdd(&out[4], place);
    climb(&top, value % 4);
    __syncthreads();
    if (threadIdx.x == 0)
        out[5] = bins[0] + 3 * bins[1] + 5 * bins[6] + 7 * bins[7] + taken + 1000 * top;
}

int main()
{
    int *values, *out;
    unsigned *flags;
    float *numbers;
    cudaMallocManaged(&values, 2 * THREADS * sizeof *values);
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&flags, 2 * THREADS * sizeof *flags);
    cudaMallocManaged(&numbers, 2 * THREADS * sizeof *numbers);
    for (int i = 0; i < 2 * THREADS; ++i) {
        values[i] = (i * 37) % 53 - 5;
        numbers[i] = i < THREADS ? i : 0;
        flags[i] = 0;
    }
    for (int i = 0; i < 64; ++i)
        out[i] = 0;
    collect<<<2, THREADS>>>(values, out, flags);
    tickets<<<2, THREADS>>>(out + 40);
    sums<float><<<2, 32>>>(numbers, numbers + THREADS, THREADS);
    census<<<1, 48>>>(out + 50);
    own_place<<<2, 32>>>(out + 51);
    every_eighth<<<2, 24>>>(out + 54, values, 40);
    cudaDeviceSynchronize();
    for (int i = 0; i < 54; ++i)
        printf("%d ", out[i]);
    in_functions<<<1, THREADS>>>(values, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d ", out[i]);
    int set = 0;
    for (int i = 0; i < 2 * THREADS; ++i)
        set += flags[i];
    printf("\n%d", set);
    for (int i = 0; i < 4; ++i)
        printf(" %g", numbers[THREADS + i]);
    printf("\n");
}
