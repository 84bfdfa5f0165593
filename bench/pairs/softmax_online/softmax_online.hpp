// Softmax of rows with a temperature.
#pragma once

#include "../support.hpp"

struct Scores {
    int rows, cols, repeats;
    std::vector<float> input;
};

constexpr float TEMPERATURE = 1.7f;

inline Scores make_scores(int argc, char **argv)
{
    Scores scores;
    scores.rows = argument(argc, argv, 1, 50);
    scores.cols = argument(argc, argv, 2, 200);
    scores.repeats = argument(argc, argv, 3, 2);
    Random random(1815u);
    for (int i = 0; i < scores.rows * scores.cols; ++i)
        scores.input.push_back(20.0f * random.uniform() - 10.0f);
    return scores;
}

inline int finish(const Scores &scores, const std::vector<float> &found, double milliseconds)
{
    const int cols = scores.cols;
    double worst = 0.0, moment = 0.0;
    for (int row = 0; row < scores.rows; ++row) {
        const float *x = scores.input.data() + row * cols, *y = found.data() + row * cols;
        const double largest = *std::max_element(x, x + cols);
        double sum = 0.0;
        for (int c = 0; c < cols; ++c)
            sum += std::exp((x[c] - largest) / TEMPERATURE);
        for (int c = 0; c < cols; ++c) {
            const double expected = std::exp((x[c] - largest) / TEMPERATURE) / sum;
            worst = std::fmax(worst, std::fabs(y[c] - expected) / (1e-6 + expected));
            moment += c * y[c];
        }
    }
    return report(worst < 1e-3, moment, milliseconds);
}
