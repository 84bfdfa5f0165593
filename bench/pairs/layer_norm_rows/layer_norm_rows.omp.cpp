// Layer normalisation of rows: one loop for mean and variance, one for the result.
//
// usage: layer_norm_rows [rows] [columns] [repeats]

#include "layer_norm_rows.hpp"

static void layer_norm(const Layer &layer, float *output)
{
    const int cols = layer.cols;
    const float *gamma = layer.gamma.data(), *beta = layer.beta.data();
#pragma omp parallel for schedule(static)
    for (int row = 0; row < layer.rows; ++row) {
        const float *x = layer.input.data() + row * cols;
        float *y = output + row * cols;
        float sum = 0.0f, squares = 0.0f;
#pragma omp simd reduction(+ : sum, squares)
        for (int c = 0; c < cols; ++c) {
            sum += x[c];
            squares += x[c] * x[c];
        }
        const float mean = sum / static_cast<float>(cols);
        const float variance = squares / static_cast<float>(cols) - mean * mean;
        const float inverse = 1.0f / std::sqrt(variance + EPSILON);
#pragma omp simd
        for (int c = 0; c < cols; ++c)
            y[c] = (x[c] - mean) * inverse * gamma[c] + beta[c];
    }
}

int main(int argc, char **argv)
{
    const Layer layer = make_layer(argc, argv);
    std::vector<float> output(layer.input.size());
    const Stopwatch watch;
    for (int r = 0; r < layer.repeats; ++r)
        layer_norm(layer, output.data());
    const double ms = watch.milliseconds();
    return finish(layer, output, ms);
}
