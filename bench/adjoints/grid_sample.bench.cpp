#include "grid_sample.omp.cpp"

#include "support.hpp"

namespace {

void by_hand(const float *input, const float *grid, float *output, int images, int channels, int height,
             int width, int out_height, int out_width, float *d_input, float *d_grid, float *d_output)
{
    const int pixels = out_height * out_width;
#pragma omp parallel for
    for (int index = 0; index < images * pixels; ++index) {
        const int n = index / pixels, pixel = index % pixels;
        const float ix = ((grid[index * 2] + 1.0f) * float(width) - 1.0f) / 2.0f;
        const float iy = ((grid[index * 2 + 1] + 1.0f) * float(height) - 1.0f) / 2.0f;
        const int x0 = int(std::floor(ix)), y0 = int(std::floor(iy));
        const float fx = ix - float(x0), fy = iy - float(y0);
        const bool left = x0 >= 0 && x0 < width, right = x0 + 1 >= 0 && x0 + 1 < width;
        const bool up = y0 >= 0 && y0 < height, down = y0 + 1 >= 0 && y0 + 1 < height;
        float d_x = 0.0f, d_y = 0.0f;
        for (int c = 0; c < channels; ++c) {
            const int plane = (n * channels + c) * height * width, corner = plane + y0 * width + x0;
            const int at = (n * channels + c) * pixels + pixel;
            const float d = d_output[at];
            d_output[at] = 0.0f;
            float value = 0.0f;
            const auto add = [&](bool there, int place, float wx, float wy, float sx, float sy) {
                if (!there)
                    return;
                value += wx * wy * input[place];
#pragma omp atomic
                d_input[place] += wx * wy * d;
                d_x += sx * wy * input[place] * d;
                d_y += sy * wx * input[place] * d;
            };
            add(up && left, corner, 1.0f - fx, 1.0f - fy, -1.0f, -1.0f);
            add(up && right, corner + 1, fx, 1.0f - fy, 1.0f, -1.0f);
            add(down && left, corner + width, 1.0f - fx, fy, -1.0f, 1.0f);
            add(down && right, corner + width + 1, fx, fy, 1.0f, 1.0f);
            output[at] = value;
        }
        d_grid[index * 2] += d_x * float(width) / 2.0f;
        d_grid[index * 2 + 1] += d_y * float(height) / 2.0f;
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int side = argument(argc, argv, 1, 12), channels = argument(argc, argv, 2, 3), images = 2;
    Random random(29u);
    const auto input = random.numbers(std::size_t(images) * channels * side * side, -1.0f, 1.0f);
    const auto grid = random.numbers(std::size_t(images) * side * side * 2, -1.1f, 1.1f);
    std::vector<float> output(input.size());
    Adjoint adjoint({input.size(), grid.size()}, random.numbers(output.size(), -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            grid_sample_grad((images * side * side + 255) / 256, 256, input.data(), grid.data(),
                             output.data(), images, channels, side, side, side, side, d[0], d[1], d.result());
        },
        [&](Shadows &d) {
            by_hand(input.data(), grid.data(), output.data(), images, channels, side, side, side, side,
                    d[0], d[1], d.result());
        });
    return adjoint.report();
}
