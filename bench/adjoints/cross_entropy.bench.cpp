#include "cross_entropy.omp.cpp"

#include "support.hpp"

namespace {

void by_hand(const float *logits, const long long *labels, float *losses, int rows, int classes,
             long long ignored, float *d_logits, float *d_losses)
{
#pragma omp parallel for
    for (int n = 0; n < rows; ++n) {
        const float *row = logits + std::size_t(n) * classes;
        float *d_row = d_logits + std::size_t(n) * classes;
        const float d = d_losses[n];
        d_losses[n] = 0.0f;
        if (labels[n] == ignored) {
            losses[n] = 0.0f;
            continue;
        }
        float largest = -INFINITY, sum = 0.0f;
#pragma omp simd reduction(max : largest)
        for (int c = 0; c < classes; ++c)
            largest = std::max(largest, row[c]);
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < classes; ++c)
            sum += std::exp(row[c] - largest);
        losses[n] = std::log(sum) + largest - row[labels[n]];
#pragma omp simd
        for (int c = 0; c < classes; ++c)
            d_row[c] += d / sum * std::exp(row[c] - largest);
        d_row[labels[n]] -= d;
    }
}

} // namespace

int main(int argc, char **argv)
{
    const int rows = argument(argc, argv, 1, 30), classes = argument(argc, argv, 2, 300);
    Random random(37u);
    const auto logits = random.numbers(std::size_t(rows) * classes, -4.0f, 4.0f);
    std::vector<long long> labels;
    for (int n = 0; n < rows; ++n)
        labels.push_back(random.below(8) == 0 ? -100 : int(random.below(classes)));
    std::vector<float> losses(rows);
    Adjoint adjoint({logits.size()}, random.numbers(rows, -1.0f, 1.0f));
    adjoint.compare(
        argument(argc, argv, 3, 2),
        [&](Shadows &d) {
            cross_entropy_grad(rows, 256, logits.data(), labels.data(), losses.data(), classes, -100, d[0],
                               d.result());
        },
        [&](Shadows &d) {
            by_hand(logits.data(), labels.data(), losses.data(), rows, classes, -100, d[0], d.result());
        });
    return adjoint.report();
}
