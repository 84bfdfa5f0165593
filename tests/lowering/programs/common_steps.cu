// Numbers that all threads step alike, and some that only look so.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int W = 37, H = 11, LAYERS = 9, ALL = W * H * LAYERS;

__device__ void advance(int &c, int layer)
{
    c += layer;
}

__global__ void upwards(float *y, const float *x, int w, int h, int layers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h)
        return;
    int layer = w * h;
    int c = i + j * w;
    int west = (i == 0) ? c : c - 1;
    int north = (j == 0) ? c : c - w;
    float below = x[c], here = x[c];
    y[c] = here + x[west] + 0.5f * x[north];
    for (int k = 1; k < layers; ++k) {
        c += layer;
        west += layer;
        north += layer;
        below = here;
        here = x[c];
        y[c] = 0.25f * below + here + x[west] - x[north] + (c - layer) % 5;
    }
    y[c] += west - c;
}

// Down again, with numbers without signs, and twice a turn.
__global__ void downwards(float *y, const float *x, unsigned w, unsigned layers)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w)
        return;
    unsigned c = i + (layers - 1) * w;
    unsigned long odd = i;
    float sum = 0;
    for (unsigned k = 0; k < layers; ++k) {
        sum = 0.5f * sum + x[c];
        y[c] = sum + odd;
        if (k + 1 < layers)
            c -= w;
        odd += 3;
        ++odd;
    }
    y[i] += sum + c + odd;
}

// The amount changes; a thread steps alone; another function steps; a step between two others.
__global__ void others(float *y, const float *x, int w, int layers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w)
        return;
    int growing = i - 5, alone = i, called = i, between = i, last = -i - 1;
    int amount = 1;
    float sum = 0;
    for (int k = 0; k < layers; ++k) {
        growing += amount;
        amount += 1;
        between += amount;
        amount += 1;
        if (x[i] > 0.5f)
            alone += w;
        advance(called, w);
        last += w;
        sum += 0.5f * sum + x[called - w] + x[alone % ALL];
        y[k * w + i] = sum + growing - between + (last > 3 ? x[last] : 1.0f);
    }
    y[i] -= last;
}

// Another name of what is stepped.
__global__ void referred_to(float *y, const float *x, int w, int layers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w)
        return;
    int c = i;
    float sum = 0;
    for (int k = 1; k < layers; ++k) {
        const int &same = c;
        sum = 0.5f * sum + x[same];
        c += w;
        y[same - w] = sum + x[same] + x[c];
    }
    y[i] += c;
}

void show(const char *name, const float *y)
{
    double sum = 0, odd = 0;
    for (int i = 0; i < ALL; ++i) {
        sum += y[i];
        odd += y[i] * double(i % 7);
    }
    std::printf("%s %.7g %.7g\n", name, sum, odd);
}

int main()
{
    float *x, *y;
    cudaMallocManaged(&x, ALL * sizeof(float));
    cudaMallocManaged(&y, ALL * sizeof(float));
    for (int i = 0; i < ALL; ++i) {
        x[i] = (i * 7 % 16) * 0.0625f;
        y[i] = 0;
    }
    for (int layers : {1, 2, LAYERS}) {
        upwards<<<dim3(3, 6), dim3(16, 2)>>>(y, x, W, H, layers);
        cudaDeviceSynchronize();
        show("upwards", y);
        downwards<<<7, 64>>>(y, x, W * H, layers);
        cudaDeviceSynchronize();
        show("downwards", y);
        others<<<7, 64>>>(y, x, W * H, layers);
        cudaDeviceSynchronize();
        show("others", y);
        referred_to<<<7, 64>>>(y, x, W * H, layers);
        cudaDeviceSynchronize();
        show("referred to", y);
    }
}
