// A tiled 2-D stencil with constant weights, pitched memory and a ragged grid.
#include <cstdio>
#include <vector>

#define TILE_W 16
#define TILE_H 8
__constant__ float weight[5];

__global__ void stencil(const float *in, float *out, size_t pitch, int w, int h) {
    __shared__ float tile[TILE_H + 2][TILE_W + 2];
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    for (int j = threadIdx.y; j < TILE_H + 2; j += blockDim.y)
        for (int i = threadIdx.x; i < TILE_W + 2; i += blockDim.x) {
            int sx = min(max((int)(blockIdx.x * TILE_W) + i - 1, 0), w - 1);
            int sy = min(max((int)(blockIdx.y * TILE_H) + j - 1, 0), h - 1);
            tile[j][i] = *((const float *)((const char *)in + sy * pitch) + sx);
        }
    __syncthreads();
    if (x >= w || y >= h)
        return;
    int i = threadIdx.x + 1, j = threadIdx.y + 1;
    float sum = weight[0] * tile[j][i];
#pragma unroll
    for (int k = -1; k <= 1; k += 2)
        sum += weight[k + 2] * tile[j][i + k] + weight[k + 3] * tile[j + k][i];
    ((float *)((char *)out + y * pitch))[x] = sum;
}

int main() {
    const int w = 50, h = 21;
    std::vector<float> host(w * h);
    for (int i = 0; i < w * h; ++i)
        host[i] = i % 13;
    float *in, *out, weights[5] = {0.5f, 0.125f, 0.125f, 0.125f, 0.125f};
    size_t pitch;
    cudaMallocPitch(&in, &pitch, w * sizeof(float), h);
    cudaMallocPitch(&out, &pitch, w * sizeof(float), h);
    cudaMemcpy2D(in, pitch, host.data(), w * sizeof(float), w * sizeof(float), h,
                 cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(weight, weights, sizeof weights);
    dim3 block(TILE_W, TILE_H), grid((w + TILE_W - 1) / TILE_W, (h + TILE_H - 1) / TILE_H);
    for (int step = 0; step < 3; ++step) {
        stencil<<<grid, block>>>(in, out, pitch, w, h);
        float *other = in;
        in = out;
        out = other;
    }
    cudaMemcpy2D(host.data(), w * sizeof(float), in, pitch, w * sizeof(float), h,
                 cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float v : host)
        sum += v;
    printf("%.5f %.5f %.5f\n", host[0], host[w * h / 2], sum);
}
// output: 3.37500 5.02539 6285.00000
