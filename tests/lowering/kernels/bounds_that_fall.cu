// What starts with the size of a block, or a part of it, and only gets smaller bounds the threads
// by itself, in whatever loop it is halved.

#define SIZE 256

__global__ void total(const float *in, float *out)
{
    __shared__ float part[SIZE];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * SIZE + t];
    __syncthreads();
    int i = SIZE / 2;
    while (i > 0) {
        if (t < i)
            part[t] += part[t + i];
        __syncthreads();
        i = i / 2;
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void largest(const float *in, float *out)
{
    __shared__ float part[SIZE];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * SIZE + t];
    __syncthreads();
    int size = SIZE;
    while (size > 1) {
        int half = size / 2;
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
        __syncthreads();
        size = half;
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

// It may get larger: the block's size stays as a bound.
__global__ void spread(const float *in, float *out, int more)
{
    __shared__ float part[SIZE];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * SIZE + t];
    __syncthreads();
    int i = SIZE / 2;
    while (i > 0 && i < 2 * SIZE) {
        if (t < i)
            part[t] += in[t + i];
        __syncthreads();
        i = i / 2 + more;
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

void launch(const float *in, float *out, int n)
{
    total<<<n / SIZE, SIZE>>>(in, out);
    largest<<<n / SIZE, SIZE>>>(in, out);
    spread<<<n / SIZE, SIZE>>>(in, out, -1);
}
