// Loops that threads share out, whose turns of one thread see each other: in order, and no vectors.
#include <cstdio>

#define N 96
#define T 32

__global__ void chained(const float *x, float *y)
{
    __shared__ float s[N];
    float *behind = s + T;
    int t = threadIdx.x;
    for (int w = t; w < N; w += T)
        s[w] = x[w];
    __syncthreads();
    for (int w = t; w < N; w += T) { // reads what the turn before has left
        float sum = 0;
        for (int j = 0; j < 4; ++j)
            sum += (w >= T ? s[w - T] : 1.0f) * (j + 1);
        s[w] += sum * 0.125f;
    }
    __syncthreads();
    for (int w = t; w < N - T; w += T) { // by another name
        for (int j = 0; j < 3; ++j)
            behind[w] += s[w] * 0.25f + j;
    }
    __syncthreads();
    for (int w = t; w < N; w += T)
        y[w] = s[w];
}

// Two names of the same dynamic memory, and a pointer that may lead to either of two arrays.
__global__ void shared_twice(const float *x, float *y, int which)
{
    extern __shared__ float raw[];
    extern __shared__ int whole[];
    __shared__ float one[N], other[N];
    float *mine = which ? one : other;
    int t = threadIdx.x;
    for (int w = t; w < N; w += T) {
        raw[w] = x[w];
        one[w] = other[w] = 0;
    }
    __syncthreads();
    for (int w = t; w < N; w += T) {
        float sum = 0;
        for (int j = 0; j < 5; ++j)
            sum += raw[w] * j;
        whole[w] = int(sum);
        mine[w] += sum + (w >= T ? one[w - T] : 0);
    }
    __syncthreads();
    for (int w = t; w < N; w += T)
        y[w] = whole[w] + one[w] * 2 + other[w] * 3;
}

// A thread's own array, through a pointer, over a barrier.
__global__ void own(const float *x, float *y)
{
    float kept[3] = {1, 2, 3};
    float *at = kept;
    __shared__ float s[N];
    int t = threadIdx.x;
    for (int w = t, k = 0; w < N; w += T, ++k) {
        at[k] += x[w];
        s[w] = kept[k];
    }
    __syncthreads();
    for (int w = t; w < N; w += T) {
        for (int j = 0; j < 3; ++j)
            at[j] = at[(j + 1) % 3] + s[N - 1 - w];
        y[w] = kept[0] + kept[2];
    }
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; ++i)
        x[i] = i * 37 % 53;
    for (int kind = 0; kind < 4; ++kind) {
        if (kind == 0)
            chained<<<1, T>>>(x, y);
        else if (kind < 3)
            shared_twice<<<1, T, N * sizeof(float)>>>(x, y, kind - 1);
        else
            own<<<1, T>>>(x, y);
        cudaDeviceSynchronize();
        double sum = 0;
        for (int i = 0; i < N; ++i)
            sum += double(y[i]) * (i % 11 + 1);
        std::printf("%.9g %.9g %.9g\n", sum, y[40], y[95]);
    }
}
