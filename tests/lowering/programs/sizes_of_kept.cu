// What is asked for its size stays as large as it is, where threads keep it in an array.
#include <cstdio>

__global__ void sizes(float *out, int n)
{
    __shared__ float s[64];
    __shared__ int own[64];
    int t = threadIdx.x;
    float x = out[t];
    double pair[2] = {x, 1.5 * t};
    s[t] = x;
    own[t] = t;
    __syncthreads();
    int count = sizeof(x) + 10 * (sizeof(pair) / sizeof(pair[0])) + 100 * sizeof x;
    x += s[63 - t] + own[t] + sizeof(own) / sizeof(own[0]) + sizeof(s);
    n += t;
    __syncthreads();
    s[t] = x;
    __syncthreads();
    out[t] = s[63 - t] + x + count + pair[t & 1] + n * sizeof(n) + sizeof(threadIdx.x);
}

int main()
{
    float h[64], *d;
    for (int i = 0; i < 64; i++)
        h[i] = i * 0.5f;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sizes<<<1, 64>>>(d, 3);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (float v : h)
        printf(" %g", v);
    printf("\n");
}
