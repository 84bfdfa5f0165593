// Anisotropic diffusion, column by column; the first and the last pixel of a column apart.
//
// usage: speckle_columns [rows] [columns] [iterations]

#include "speckle_columns.hpp"

struct Work {
    std::vector<float> c, dn, ds, dw, de;
};

static void coefficients(const float *pixel, int rows, int cols, float q0, Work &work)
{
#pragma omp parallel for schedule(static)
    for (int col = 0; col < cols; ++col) {
        const int first = col * rows;
        const float *j = pixel + first;
        const float *left = pixel + std::max(col - 1, 0) * rows;
        const float *right = pixel + std::min(col + 1, cols - 1) * rows;
        float *c = work.c.data() + first, *dn = work.dn.data() + first;
        float *ds = work.ds.data() + first, *dw = work.dw.data() + first;
        float *de = work.de.data() + first;
        const auto at = [=](int row, int above, int below) {
            const float here = j[row];
            const float north = j[above] - here, south = j[below] - here;
            const float west = left[row] - here, east = right[row] - here;
            const float squared = (north * north + south * south + west * west + east * east) /
                                  (here * here);
            const float laplace = (north + south + west + east) / here;
            const float root = 1.0f + 0.25f * laplace;
            const float q = (0.5f * squared - laplace * laplace / 16.0f) / (root * root);
            const float value = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
            dn[row] = north;
            ds[row] = south;
            dw[row] = west;
            de[row] = east;
            c[row] = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
        };
        at(0, 0, std::min(1, rows - 1));
#pragma omp simd
        for (int row = 1; row < rows - 1; ++row)
            at(row, row - 1, row + 1);
        if (rows > 1)
            at(rows - 1, rows - 2, rows - 1);
    }
}

static void diffuse(float *pixel, int rows, int cols, const Work &work)
{
#pragma omp parallel for schedule(static)
    for (int col = 0; col < cols; ++col) {
        const int first = col * rows;
        float *j = pixel + first;
        const float *c = work.c.data() + first;
        const float *right = work.c.data() + std::min(col + 1, cols - 1) * rows;
        const float *dn = work.dn.data() + first, *ds = work.ds.data() + first;
        const float *dw = work.dw.data() + first, *de = work.de.data() + first;
#pragma omp simd
        for (int row = 0; row < rows - 1; ++row)
            j[row] += 0.25f * LAMBDA * (c[row] * (dn[row] + dw[row]) + c[row + 1] * ds[row] +
                                        right[row] * de[row]);
        const int row = rows - 1;
        j[row] += 0.25f * LAMBDA * (c[row] * (dn[row] + dw[row]) + c[row] * ds[row] +
                                    right[row] * de[row]);
    }
}

int main(int argc, char **argv)
{
    const Image image = make_image(argc, argv);
    const int rows = image.rows, cols = image.cols, n = rows * cols;
    std::vector<float> pixels = image.pixel;
    float *pixel = pixels.data();
    const std::vector<float> none(n);
    Work work{none, none, none, none, none};
    const Stopwatch watch;
    for (int iteration = 0; iteration < image.iterations; ++iteration) {
        double sum = 0.0, squares = 0.0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum, squares)
        for (int i = 0; i < n; ++i) {
            sum += pixel[i];
            squares += pixel[i] * pixel[i];
        }
        coefficients(pixel, rows, cols, scale(sum, squares, n), work);
        diffuse(pixel, rows, cols, work);
    }
    const double ms = watch.milliseconds();
    return finish(image, pixels, ms);
}
