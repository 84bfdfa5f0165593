// Values of images between their pixels (bilinear), at places that every output pixel has in a grid.
#include <cuda_runtime.h>

__device__ bool inside(int h, int w, int height, int width)
{
    return h >= 0 && h < height && w >= 0 && w < width;
}

__global__ void grid_sample(const float *input, const float *grid, float *output, int images, int channels,
                            int height, int width, int out_height, int out_width)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= images * out_height * out_width)
        return;
    const int w = index % out_width;
    const int h = (index / out_width) % out_height;
    const int n = index / (out_height * out_width);
    const float ix = ((grid[index * 2] + 1.0f) * width - 1.0f) / 2.0f;
    const float iy = ((grid[index * 2 + 1] + 1.0f) * height - 1.0f) / 2.0f;
    const int x0 = (int)floorf(ix), y0 = (int)floorf(iy);
    const int x1 = x0 + 1, y1 = y0 + 1;
    const float nw = (x1 - ix) * (y1 - iy), ne = (ix - x0) * (y1 - iy);
    const float sw = (x1 - ix) * (iy - y0), se = (ix - x0) * (iy - y0);
    for (int c = 0; c < channels; ++c) {
        const float *plane = input + (n * channels + c) * height * width;
        float value = 0.0f;
        if (inside(y0, x0, height, width))
            value += plane[y0 * width + x0] * nw;
        if (inside(y0, x1, height, width))
            value += plane[y0 * width + x1] * ne;
        if (inside(y1, x0, height, width))
            value += plane[y1 * width + x0] * sw;
        if (inside(y1, x1, height, width))
            value += plane[y1 * width + x1] * se;
        output[((n * channels + c) * out_height + h) * out_width + w] = value;
    }
}

void sample(const float *input, const float *grid, float *output, int images, int channels, int height,
            int width, int out_height, int out_width)
{
    const int count = images * out_height * out_width;
    grid_sample<<<(count + 255) / 256, 256>>>(input, grid, output, images, channels, height, width, out_height, out_width);
}
