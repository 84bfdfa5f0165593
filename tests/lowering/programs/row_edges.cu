// Rows whose ends load less than the part between: walls, borders that are left out, windows.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int REACH = 2;

__global__ void choices(const float *in, float *out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    const int i = y * w + x;
    const float left = x > 0 ? in[i - 1] : 0.0f, right = x < w - 1 ? in[i + 1] : 0.0f;
    const float up = y > 0 ? in[i - w] : 0.0f, down = y + 1 < h ? in[i + w] : 0.0f;
    out[i] = in[i] + 0.2f * (left + 2.0f * right + 3.0f * up + 4.0f * down);
}

__global__ void branches(const float *in, float *out, unsigned w, unsigned h)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        const unsigned i = y * w + x;
        float sum = in[i];
        if (x > 0)
            sum += in[i - 1];
        if (x < w - 1)
            sum += 2.0f * in[i + 1];
        if (y > 0)
            sum += 3.0f * in[i - w];
        if (y + 1 < h)
            sum += 4.0f * in[i + w];
        out[i] = sum;
    }
}

__global__ void walls(const float *in, float *out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        const int i = y * w + x;
        if (x == 0 || x == w - 1 || y == 0 || y == h - 1)
            out[i] = -in[i];
        else
            out[i] = 0.25f * (in[i - 1] + 2.0f * in[i + 1] + in[i - w] + 3.0f * in[i + w]);
    }
}

// How many neighbours there are depends on the place, too.
__global__ void window(const unsigned char *in, unsigned char *out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int sum = 0, count = 0;
        for (int i = -1; i < 2; ++i)
            for (int j = -REACH; j <= REACH; ++j) {
                const int xx = x + j, yy = y - i;
                if (xx > -1 && xx < w && yy > -1 && yy < h) {
                    sum += in[yy * w + xx] * (i + 3);
                    ++count;
                }
            }
        out[y * w + x] = static_cast<unsigned char>(sum / count);
    }
}

// How far a window reaches is no multiple of its counter.
__global__ void squares(const float *in, float *out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float sum = 0.0f;
        for (int i = -REACH; i <= REACH; ++i) {
            const int to = x + 4 - i * i;
            if (to < w && y >= 0)
                sum += in[y * w + to] * (i + 3.0f);
        }
        out[y * w + x] = sum;
    }
}

// The pivot's column is somewhere in the row.
__global__ void eliminated(const float *in, float *out, int w, int h, int pivot)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = x != pivot && y != pivot ? in[y * w + x] - in[pivot * w + x] : 1.0f;
}

template <typename T> static double weighed(const T *device, int n)
{
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += host[i] * (i % 13 + 1.0);
    return sum;
}

int main()
{
    for (int w : {1, 2, 3, 4, 5, 33, 70})
        for (int h : {1, 2, 3, 6}) {
            const int n = w * h;
            std::vector<float> host(n);
            std::vector<unsigned char> bytes(n);
            for (int i = 0; i < n; ++i) {
                host[i] = static_cast<float>(i * 37 % 101) * 0.25f;
                bytes[i] = static_cast<unsigned char>(i * 91 % 61);
            }
            float *a, *b;
            unsigned char *c, *d;
            cudaMalloc(&a, n * sizeof(float));
            cudaMalloc(&b, n * sizeof(float));
            cudaMalloc(&c, n);
            cudaMalloc(&d, n);
            cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
            cudaMemcpy(c, bytes.data(), n, cudaMemcpyHostToDevice);
            const dim3 block(16, 4), grid((w + 15) / 16, (h + 3) / 4);
            choices<<<grid, block>>>(a, b, w, h);
            std::printf("%d x %d: %.3f", w, h, weighed(b, n));
            branches<<<grid, block>>>(a, b, w, h);
            std::printf(" %.3f", weighed(b, n));
            walls<<<grid, block>>>(a, b, w, h);
            std::printf(" %.3f", weighed(b, n));
            window<<<grid, block>>>(c, d, w, h);
            std::printf(" %.3f", weighed(d, n));
            squares<<<grid, block>>>(a, b, w, h);
            std::printf(" %.3f", weighed(b, n));
            eliminated<<<grid, block>>>(a, b, w, h, h / 2);
            std::printf(" %.3f\n", weighed(b, n));
            cudaFree(a);
            cudaFree(b);
            cudaFree(c);
            cudaFree(d);
        }
    return 0;
}
