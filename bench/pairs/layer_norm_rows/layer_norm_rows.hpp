// Layer normalisation of rows, with a scale and an offset for every column.
#pragma once

#include "../support.hpp"

constexpr float EPSILON = 1e-5f;

struct Layer {
    int rows, cols, repeats;
    std::vector<float> input, gamma, beta;
};

inline Layer make_layer(int argc, char **argv)
{
    Layer layer;
    layer.rows = argument(argc, argv, 1, 40);
    layer.cols = argument(argc, argv, 2, 300);
    layer.repeats = argument(argc, argv, 3, 2);
    Random random(1066u);
    for (int i = 0; i < layer.rows * layer.cols; ++i)
        layer.input.push_back(4.0f * random.uniform() + 1.0f);
    for (int c = 0; c < layer.cols; ++c) {
        layer.gamma.push_back(random.uniform());
        layer.beta.push_back(random.uniform());
    }
    return layer;
}

inline int finish(const Layer &layer, const std::vector<float> &found, double milliseconds)
{
    const int cols = layer.cols;
    std::vector<float> expected(layer.input.size());
    for (int row = 0; row < layer.rows; ++row) {
        const float *x = layer.input.data() + row * cols;
        double mean = 0.0, variance = 0.0;
        for (int c = 0; c < cols; ++c)
            mean += x[c] / cols;
        for (int c = 0; c < cols; ++c)
            variance += (x[c] - mean) * (x[c] - mean) / cols;
        for (int c = 0; c < cols; ++c)
            expected[row * cols + c] = static_cast<float>(
                (x[c] - mean) / std::sqrt(variance + EPSILON) * layer.gamma[c] + layer.beta[c]);
    }
    return report(worst_error(found, expected) < 1e-4, checksum(found), milliseconds);
}
