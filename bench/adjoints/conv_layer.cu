// A layer of 3 x 3 convolutions with a rim of zeros, and its bias, a block of threads to a tile of one channel.
#include <cuda_runtime.h>

#define RADIUS 1
#define SIDE (2 * RADIUS + 1)

__global__ void conv_layer(const float *in, const float *weight, const float *bias, float *out, int inputs, int w,
                           int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int channel = blockIdx.z;
    if (x >= w || y >= h)
        return;
    float sum = bias[channel];
    for (int c = 0; c < inputs; ++c)
        for (int j = -RADIUS; j <= RADIUS; ++j)
            for (int i = -RADIUS; i <= RADIUS; ++i) {
                const int row = y + j, column = x + i;
                if (row >= 0 && row < h && column >= 0 && column < w)
                    sum += in[(c * h + row) * w + column] *
                           weight[((channel * inputs + c) * SIDE + j + RADIUS) * SIDE + i + RADIUS];
            }
    out[(channel * h + y) * w + x] = sum;
}

void convolve(const float *in, const float *weight, const float *bias, float *out, int inputs, int outputs, int w,
              int h)
{
    const dim3 block(16, 16);
    const dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y, outputs);
    conv_layer<<<grid, block>>>(in, weight, bias, out, inputs, w, h);
}
