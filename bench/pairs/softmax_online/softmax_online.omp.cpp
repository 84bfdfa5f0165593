// Softmax of rows: the largest value, exponentials and their sum, the quotients.
//
// usage: softmax_online [rows] [columns] [repeats]

#include "softmax_online.hpp"

static void softmax(const Scores &scores, float *output, float inverse_temperature)
{
    const int cols = scores.cols;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < scores.rows; ++row) {
        const float *x = scores.input.data() + row * cols;
        float *y = output + row * cols;
        float largest = -INFINITY;
#pragma omp simd reduction(max : largest)
        for (int c = 0; c < cols; ++c)
            largest = x[c] > largest ? x[c] : largest;
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            y[c] = std::exp((x[c] - largest) * inverse_temperature);
            sum += y[c];
        }
        const float scale = 1.0f / sum;
#pragma omp simd
        for (int c = 0; c < cols; ++c)
            y[c] *= scale;
    }
}

int main(int argc, char **argv)
{
    const Scores scores = make_scores(argc, argv);
    std::vector<float> output(scores.input.size());
    const Stopwatch watch;
    for (int r = 0; r < scores.repeats; ++r)
        softmax(scores, output.data(), 1.0f / TEMPERATURE);
    const double ms = watch.milliseconds();
    return finish(scores, output, ms);
}
