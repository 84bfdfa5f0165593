// Forward pass of one fully connected layer, tile by tile.
//
// The weights are a (inputs + 1) x (hidden + 1) matrix: row 0 holds the biases and
// column 0 is unused. Every tile of ROWS inputs leaves one partial sum per hidden unit;
// what the tree reduction leaves in the tile is kept as well.
//
// usage: layer_forward [inputs] [hidden] [repeat]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int ROWS = 16; // inputs per tile
constexpr int COLS = 16; // hidden units per tile

static void layer_forward(const float *input, const float *weights, float *products,
                          float *partial, int inputs, int hidden)
{
    const int stride = hidden + 1;
#pragma omp parallel for collapse(2) schedule(static)
    for (int by = 0; by < inputs / ROWS; ++by) {
        for (int bx = 0; bx < hidden / COLS; ++bx) {
            float w[ROWS][COLS];
            const int corner = stride * (ROWS * by + 1) + COLS * bx + 1;
            for (int row = 0; row < ROWS; ++row) {
                const float node = input[ROWS * by + row + 1];
#pragma omp simd
                for (int col = 0; col < COLS; ++col)
                    w[row][col] = weights[corner + stride * row + col] * node;
            }
            for (int half = ROWS / 2; half > 0; half /= 2) {
                for (int row = 0; row < half; ++row) {
#pragma omp simd
                    for (int col = 0; col < COLS; ++col)
                        w[row][col] += w[row + half][col];
                }
            }
            for (int row = 0; row < ROWS; ++row) {
#pragma omp simd
                for (int col = 0; col < COLS; ++col)
                    products[corner + stride * row + col] = w[row][col];
            }
#pragma omp simd
            for (int col = 0; col < COLS; ++col)
                partial[by * hidden + COLS * bx + col] = w[0][col];
        }
    }
}

static unsigned int lcg_state = 12345u;

// Uniform in [-0.5, 0.5).
static float next_random()
{
    lcg_state = 1664525u * lcg_state + 1013904223u;
    return static_cast<float>(lcg_state >> 8) / 16777216.0f - 0.5f;
}

static float squash(float x)
{
    return 1.0f / (1.0f + std::exp(-x));
}

int main(int argc, char **argv)
{
    const int inputs = argc > 1 ? std::atoi(argv[1]) : 256;
    const int hidden = argc > 2 ? std::atoi(argv[2]) : 32;
    const int repeat = argc > 3 ? std::atoi(argv[3]) : 1;
    if (inputs <= 0 || inputs % ROWS != 0 || hidden <= 0 || hidden % COLS != 0 || repeat <= 0) {
        std::fprintf(stderr, "inputs must be a multiple of %d, hidden of %d\n", ROWS, COLS);
        return 2;
    }

    const int tiles = inputs / ROWS;
    const int stride = hidden + 1;
    std::vector<float> input(inputs + 1);
    std::vector<float> weights(static_cast<std::size_t>(inputs + 1) * stride);
    std::vector<float> products(weights.size(), 0.0f);
    std::vector<float> partial(static_cast<std::size_t>(tiles) * hidden);
    for (float &x : input)
        x = next_random() + 0.5f;
    for (float &w : weights)
        w = next_random();

    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < repeat; ++r)
        layer_forward(input.data(), weights.data(), products.data(), partial.data(), inputs,
                      hidden);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    double activation = 0.0, worst = 0.0;
    for (int j = 1; j <= hidden; ++j) {
        float sum = weights[j];
        for (int k = 0; k < tiles; ++k)
            sum += partial[k * hidden + j - 1];
        double expected = weights[j];
        for (int i = 1; i <= inputs; ++i)
            expected += static_cast<double>(weights[i * stride + j]) * input[i];
        worst = std::fmax(worst, std::fabs(sum - expected) / (1.0 + std::fabs(expected)));
        activation += squash(sum);
    }
    for (int i = ROWS; i <= inputs; i += ROWS)
        for (int j = 1; j <= hidden; ++j)
            worst = std::fmax(
                worst, std::fabs(products[i * stride + j] - weights[i * stride + j] * input[i]));

    const bool pass = worst < 1e-4;
    std::printf("units %d\n", hidden);
    std::printf("activation %.4e\n", activation);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
