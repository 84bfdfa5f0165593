// All threads return from a loop that they wait in, and that would not end without them.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void settle(const int *in, int *out, int n)
{
    __shared__ int flag, s[32];
    int t = threadIdx.x, steps = 0;
    s[t] = in[t];
    while (true) {
        __syncthreads();
        if (t == 0)
            flag = 0;
        __syncthreads();
        int v = max(s[t], s[(t + 1) & 31]);
        __syncthreads();
        if (v != s[t]) {
            s[t] = v;
            atomicOr(&flag, 1);
        }
        __syncthreads();
        if (!flag)
            break;
        if (++steps > n) {
            out[t] = -steps;
            return;
        }
    }
    out[t] = s[t] * 100 + steps;
}

// Some have returned before; others return from a loop of their own, and from a switch.
__global__ void some_left(const int *in, int *out, int n, int m)
{
    __shared__ int flag;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, steps = 0;
    if (i >= n)
        return;
    for (;;) {
        if (t == 0)
            flag = in[steps] + steps;
        __syncthreads();
        int f = flag;
        out[i] += f;
        if (f > 20) {
            out[i] += 1000;
            return;
        }
        __syncthreads();
        for (int k = 0; k < f; ++k)
            if (k * steps == m) {
                out[i] -= k;
                return;
            }
        steps++;
        switch (steps) {
        case 7:
            out[i] ^= 4;
            return;
        case 2:
            out[i] -= 2;
            continue;
        case 3:
            out[i] += 2;
            break;
        default:
            out[i] += 3;
        }
        out[i] *= 2;
    }
}

#define GIVEN const int *in, int *out, int n, int m

// All threads leave in front of the loop, or in it.
__global__ void left_twice(GIVEN)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t] + blockIdx.x;
    if (n < 5 || blockIdx.x == 1)
        return;
    __syncthreads();
    int v = 0;
    for (int k = 0; k < 6; ++k) {
        if (k == m)
            return;
        v += s[(t + k) % 32];
        __syncthreads();
        s[t] = v;
        __syncthreads();
        out[t] = v;
    }
    out[t] = -5;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, 70 * sizeof(int));
    for (int i = 0; i < 70; ++i)
        out[i] = 0;
    for (int i = 0; i < 32; ++i)
        in[i] = i * 13 % 15;
    for (int n = 3; n < 60; n += 40) {
        settle<<<1, 32>>>(in, out, n);
        cudaDeviceSynchronize();
        printf("%d %d %d\n", out[0], out[5], out[31]);
    }
    for (int m = 3; m < 8; m += 4) {
        left_twice<<<2, 32>>>(in, out, m + 2, m);
        cudaDeviceSynchronize();
        printf("%d %d\n", out[0], out[31]);
    }
    for (int m = 0; m < 16; m += 5) {
        some_left<<<3, 32>>>(in, out, 70, m);
        cudaDeviceSynchronize();
        for (int i = 0; i < 70; ++i)
            printf("%d ", out[i]);
        printf("\n");
    }
}
