#include "roi_max.omp.cpp"

#include "support.hpp"

namespace {

void by_hand(int rois_count, const float *input, const float *rois, int channels, int height, int width,
             int pooled, float scale, float *output, int *argmax, float *d_input, float *d_output)
{
#pragma omp parallel for
    for (int n = 0; n < rois_count; ++n) {
        const float *roi = rois + n * 5;
        const int batch = int(roi[0]);
        const int start_w = int(std::round(roi[1] * scale)), start_h = int(std::round(roi[2] * scale));
        const int end_w = int(std::round(roi[3] * scale)), end_h = int(std::round(roi[4] * scale));
        const float bin_h = float(std::max(end_h - start_h + 1, 1)) / float(pooled);
        const float bin_w = float(std::max(end_w - start_w + 1, 1)) / float(pooled);
        for (int c = 0; c < channels; ++c) {
            const float *plane = input + (batch * channels + c) * height * width;
            float *d_plane = d_input + (batch * channels + c) * height * width;
            for (int ph = 0; ph < pooled; ++ph) {
                const int h0 = std::clamp(int(std::floor(float(ph) * bin_h)) + start_h, 0, height);
                const int h1 = std::clamp(int(std::ceil(float(ph + 1) * bin_h)) + start_h, 0, height);
                for (int pw = 0; pw < pooled; ++pw) {
                    const int w0 = std::clamp(int(std::floor(float(pw) * bin_w)) + start_w, 0, width);
                    const int w1 = std::clamp(int(std::ceil(float(pw + 1) * bin_w)) + start_w, 0, width);
                    float largest = h1 <= h0 || w1 <= w0 ? 0.0f : -FLT_MAX;
                    int where = -1;
                    for (int h = h0; h < h1; ++h)
                        for (int w = w0; w < w1; ++w)
                            if (plane[h * width + w] > largest) {
                                largest = plane[h * width + w];
                                where = h * width + w;
                            }
                    const int index = ((n * channels + c) * pooled + ph) * pooled + pw;
                    output[index] = largest;
                    argmax[index] = where;
                    if (where >= 0) {
#pragma omp atomic
                        d_plane[where] += d_output[index];
                    }
                    d_output[index] = 0.0f;
                }
            }
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int regions = argument(argc, argv, 1, 10), channels = argument(argc, argv, 2, 4);
    const int height = 96, width = 128, pooled = 7, batches = 2;
    Random random(5u);
    const auto input = random.numbers(std::size_t(batches) * channels * height * width, -1.0f, 1.0f);
    std::vector<float> rois;
    for (int n = 0; n < regions; ++n) {
        const float x = random.between(0.0f, 100.0f), y = random.between(0.0f, 80.0f);
        const float right = x + random.between(4.0f, 60.0f), bottom = y + random.between(4.0f, 40.0f);
        rois.insert(rois.end(), {float(random.below(batches)), x, y, right, bottom});
    }
    const int count = regions * channels * pooled * pooled;
    std::vector<float> output(count);
    std::vector<int> argmax(count);
    Adjoint adjoint({input.size(), rois.size()}, random.numbers(count, -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            roi_max_grad((count + 255) / 256, 256, count, input.data(), rois.data(), channels, height,
                         width, pooled, 1.0f, output.data(), argmax.data(), d[0], d.result());
        },
        [&](Shadows &d) {
            by_hand(regions, input.data(), rois.data(), channels, height, width, pooled, 1.0f,
                    output.data(), argmax.data(), d[0], d.result());
        });
    return adjoint.report();
}
