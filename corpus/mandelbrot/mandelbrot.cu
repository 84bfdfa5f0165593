// The Mandelbrot set as a grey image, one byte per pixel.
//
// usage: mandelbrot [width] [height] [max iterations]

#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

typedef unsigned char uchar;

// The part of the plane that is shown.
struct View {
    float left, top;
    float step; // distance of neighbouring pixels
    int width, height;

    // The centre of a pixel.
    __host__ __device__ float re(int px) const { return left + (px + 0.5f) * step; }
    __host__ __device__ float im(int py) const { return top - (py + 0.5f) * step; }
};

static void check(cudaError_t error, const char *where)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(error));
        std::exit(1);
    }
}

// Number of iterations until the orbit of c leaves the circle of radius 2.
__host__ __device__ int escape_time(float cx, float cy, int limit)
{
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break; // gone for good
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        ++n;
    }
    return n;
}

__global__ void mandelbrot(uchar *image, View view, int limit)
{
    int px = threadIdx.x + blockDim.x * blockIdx.x;
    int py = threadIdx.y + blockDim.y * blockIdx.y;
    if (px < view.width && py < view.height) {
        int n = escape_time(view.re(px), view.im(py), limit);
        // The set itself is black, the rest brighter the slower it escapes.
        uchar grey = n == limit ? 0 : (uchar)(55 + (200 * n) / limit);
        image[py * view.width + px] = grey;
    }
}

int main(int argc, char **argv)
{
    View view;
    view.width = argc > 1 ? std::atoi(argv[1]) : 150;
    view.height = argc > 2 ? std::atoi(argv[2]) : 100;
    const int limit = argc > 3 ? std::atoi(argv[3]) : 100;
    if (view.width < 1 || view.height < 1 || limit < 1) {
        std::fprintf(stderr, "usage: %s [width] [height] [max iterations]\n", argv[0]);
        return 2;
    }
    view.step = 3.0f / view.width;
    view.left = -2.2f;
    view.top = 0.5f * view.step * view.height;

    const size_t pixels = (size_t)view.width * view.height;
    std::vector<uchar> image(pixels);
    uchar *d_image = nullptr;
    check(cudaMalloc(&d_image, pixels), "cudaMalloc");

    cudaEvent_t t0, t1;
    check(cudaEventCreate(&t0), "event");
    check(cudaEventCreate(&t1), "event");
    dim3 block(32, 8);
    dim3 grid((view.width + block.x - 1) / block.x, (view.height + block.y - 1) / block.y);
    check(cudaEventRecord(t0), "record");
    mandelbrot<<<grid, block>>>(d_image, view, limit);
    check(cudaEventRecord(t1), "record");
    check(cudaEventSynchronize(t1), "kernel");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, t0, t1), "time");
    check(cudaMemcpy(image.data(), d_image, pixels, cudaMemcpyDeviceToHost), "copy");

    // Rounding may move a few pixels at the border of the set by a level or more.
    size_t black = 0, different = 0;
    double brightness = 0.0;
    for (int py = 0; py < view.height; ++py) {
        for (int px = 0; px < view.width; ++px) {
            const int n = escape_time(view.re(px), view.im(py), limit);
            const uchar expected = n == limit ? 0 : (uchar)(55 + (200 * n) / limit);
            const uchar grey = image[(size_t)py * view.width + px];
            different += grey != expected;
            black += grey == 0;
            brightness += grey;
        }
    }

    // The area of the set is close to 1.507.
    const double area = (double)black * view.step * view.step;
    const bool pass = different * 200 < pixels && std::fabs(area - 1.507) < 0.1;
    std::printf("area %.2f\n", area);
    std::printf("brightness %.1f\n", brightness / (double)pixels);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", ms);

    check(cudaEventDestroy(t0), "event");
    check(cudaEventDestroy(t1), "event");
    check(cudaFree(d_image), "cudaFree");
    return pass ? 0 : 1;
}
