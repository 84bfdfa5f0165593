// The Mandelbrot set as a grey image, one byte per pixel.
//
// usage: mandelbrot [width] [height] [max iterations]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned char uchar;

// The part of the plane that is shown.
struct View {
    float left, top;
    float step; // distance of neighbouring pixels
    int width, height;

    // The centre of a pixel.
    float re(int px) const { return left + (px + 0.5f) * step; }
    float im(int py) const { return top - (py + 0.5f) * step; }
};

// Number of iterations until the orbit of c leaves the circle of radius 2.
static int escape_time(float cx, float cy, int limit)
{
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit) {
        const float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        ++n;
    }
    return n;
}

static uchar shade(int n, int limit)
{
    return n == limit ? 0 : static_cast<uchar>(55 + (200 * n) / limit);
}

// Rows differ a lot in cost, so they are handed out one by one.
static void mandelbrot(uchar *image, const View &view, int limit)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int py = 0; py < view.height; ++py) {
        const float cy = view.im(py);
        for (int px = 0; px < view.width; ++px) {
            const int n = escape_time(view.re(px), cy, limit);
            image[py * view.width + px] = shade(n, limit);
        }
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

    const size_t pixels = static_cast<size_t>(view.width) * view.height;
    std::vector<uchar> image(pixels);

    const auto begin = std::chrono::steady_clock::now();
    mandelbrot(image.data(), view, limit);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    size_t black = 0, different = 0;
    double brightness = 0.0;
    for (int py = 0; py < view.height; ++py) {
        for (int px = 0; px < view.width; ++px) {
            const int n = escape_time(view.re(px), view.im(py), limit);
            const uchar grey = image[static_cast<size_t>(py) * view.width + px];
            different += grey != shade(n, limit);
            black += grey == 0;
            brightness += grey;
        }
    }

    // The area of the set is close to 1.507.
    const double area = static_cast<double>(black) * view.step * view.step;
    const bool pass = different * 200 < pixels && std::fabs(area - 1.507) < 0.1;
    std::printf("area %.2f\n", area);
    std::printf("brightness %.1f\n", brightness / static_cast<double>(pixels));
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
