// Rows in which one condition parts the inside from both ends, of every small width and height.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void borders(float *out, const float *in, int width, int height)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = row * width + col;
    if (col > 0 && col < width - 1 && row > 0 && row < height - 1) {
        out[i] = in[i - 1] + 2 * in[i + 1] + 3 * in[i - width] + 4 * in[i + width];
    } else if (col < width && row < height) {
        out[i] = -in[i];
    }
}

__global__ void chosen(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const bool inside = x >= 2 && x < width - 2;
    out[y * width + x] = inside ? in[y * width + x - 2] + in[y * width + x + 2] : 1.0f;
}

__global__ void nested(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = in[y * width + x];
    if (x > 0 && x < width - 1)
        sum += in[y * width + x - 1] * in[y * width + x + 1];
    else if (x > 0)
        sum += in[y * width + x - 1];
    out[y * width + x] = sum;
}

int main()
{
    const int most = 40 * 8;
    std::vector<float> values(most), found(most);
    for (int i = 0; i < most; ++i)
        values[i] = float(i * 7 % 23) - 5.0f;
    float *in, *out;
    cudaMalloc(&in, most * sizeof(float));
    cudaMalloc(&out, most * sizeof(float));
    cudaMemcpy(in, values.data(), most * sizeof(float), cudaMemcpyHostToDevice);
    for (int width : {1, 2, 3, 4, 5, 17, 40})
        for (int height : {1, 2, 3, 8}) {
            const dim3 block(8, 2), grid((width + 7) / 8, (height + 1) / 2);
            for (int which = 0; which < 3; ++which) {
                cudaMemset(out, 0, most * sizeof(float));
                if (which == 0)
                    borders<<<grid, block>>>(out, in, width, height);
                else if (which == 1)
                    chosen<<<grid, block>>>(out, in, width, height);
                else
                    nested<<<grid, block>>>(out, in, width, height);
                cudaMemcpy(found.data(), out, most * sizeof(float), cudaMemcpyDeviceToHost);
                float sum = 0;
                for (int i = 0; i < most; ++i)
                    sum += found[i] * float(i % 13 + 1);
                std::printf("%d %d %d: %g\n", width, height, which, sum);
            }
        }
    cudaFree(in);
    cudaFree(out);
}
