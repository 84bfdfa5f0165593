// Removes speckle from an image by anisotropic diffusion (Yu and Acton 2002). The image lies
// column by column.
#pragma once

#include "../support.hpp"

constexpr float LAMBDA = 0.5f;

struct Image {
    int rows, cols, iterations;
    std::vector<float> pixel;
};

inline Image make_image(int argc, char **argv)
{
    Image image;
    image.rows = argument(argc, argv, 1, 50);
    image.cols = argument(argc, argv, 2, 44);
    image.iterations = argument(argc, argv, 3, 4);
    Random random(5u);
    for (int i = 0; i < image.rows * image.cols; ++i)
        image.pixel.push_back(std::exp(random.uniform()));
    return image;
}

// The speckle scale: variance over squared mean.
inline float scale(double sum, double squares, int n)
{
    const double mean = sum / n;
    return static_cast<float>((squares / n - mean * mean) / (mean * mean));
}

inline int finish(const Image &image, const std::vector<float> &found, double milliseconds)
{
    const int rows = image.rows, cols = image.cols, n = rows * cols;
    std::vector<float> j = image.pixel, c(n), dn(n), ds(n), dw(n), de(n);
    for (int iteration = 0; iteration < image.iterations; ++iteration) {
        double sum = 0.0, squares = 0.0;
        for (const float value : j) {
            sum += value;
            squares += value * value;
        }
        const float q0 = scale(sum, squares, n);
        for (int col = 0; col < cols; ++col)
            for (int row = 0; row < rows; ++row) {
                const int e = row + rows * col;
                dn[e] = j[std::max(row - 1, 0) + rows * col] - j[e];
                ds[e] = j[std::min(row + 1, rows - 1) + rows * col] - j[e];
                dw[e] = j[row + rows * std::max(col - 1, 0)] - j[e];
                de[e] = j[row + rows * std::min(col + 1, cols - 1)] - j[e];
                const float squared = (dn[e] * dn[e] + ds[e] * ds[e] + dw[e] * dw[e] +
                                       de[e] * de[e]) / (j[e] * j[e]);
                const float laplace = (dn[e] + ds[e] + dw[e] + de[e]) / j[e];
                const float root = 1.0f + 0.25f * laplace;
                const float q = (0.5f * squared - laplace * laplace / 16.0f) / (root * root);
                c[e] = std::clamp(1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0))), 0.0f, 1.0f);
            }
        for (int col = 0; col < cols; ++col)
            for (int row = 0; row < rows; ++row) {
                const int e = row + rows * col;
                j[e] += 0.25f * LAMBDA *
                        (c[e] * (dn[e] + dw[e]) +
                         c[std::min(row + 1, rows - 1) + rows * col] * ds[e] +
                         c[row + rows * std::min(col + 1, cols - 1)] * de[e]);
            }
    }
    return report(worst_error(found, j) < 1e-3, checksum(found), milliseconds);
}
