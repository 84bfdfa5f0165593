// Softmax of every row of a matrix.
//
// usage: softmax_rows [rows] [cols] [repeat]

#include <cfloat>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void softmax_rows(const float *in, float *out, int rows, int cols)
{
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; ++r) {
        const float *x = in + static_cast<size_t>(r) * cols;
        float *__restrict__ y = out + static_cast<size_t>(r) * cols;

        // Largest element, to keep the exponentials in range.
        float largest = -FLT_MAX;
#pragma omp simd reduction(max : largest)
        for (int c = 0; c < cols; ++c)
            largest = x[c] > largest ? x[c] : largest;

        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < cols; ++c) {
            const float e = expf(x[c] - largest);
            y[c] = e;
            sum += e;
        }

        const float scale = 1.0f / sum;
#pragma omp simd
        for (int c = 0; c < cols; ++c)
            y[c] *= scale;
    }
}

struct Lcg {
    unsigned state;
    float uniform()
    {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) * (1.0f / 16777216.0f);
    }
};

// Largest difference from a serial softmax in double.
static double max_error(const std::vector<float> &in, const std::vector<float> &out, int rows,
                        int cols)
{
    double worst = 0.0;
    for (int r = 0; r < rows; ++r) {
        const float *x = in.data() + static_cast<size_t>(r) * cols;
        const float *y = out.data() + static_cast<size_t>(r) * cols;
        double largest = x[0];
        for (int c = 1; c < cols; ++c)
            largest = std::fmax(largest, x[c]);
        double sum = 0.0;
        for (int c = 0; c < cols; ++c)
            sum += std::exp(x[c] - largest);
        for (int c = 0; c < cols; ++c)
            worst = std::fmax(worst, std::fabs(y[c] - std::exp(x[c] - largest) / sum));
    }
    return worst;
}

int main(int argc, char *argv[])
{
    const int rows = argc > 1 ? atoi(argv[1]) : 24;
    const int cols = argc > 2 ? atoi(argv[2]) : 300;
    const int repeat = argc > 3 ? atoi(argv[3]) : 1;
    if (rows <= 0 || cols <= 0 || repeat <= 0) {
        fprintf(stderr, "usage: %s [rows] [cols] [repeat]\n", argv[0]);
        return 2;
    }

    const size_t count = static_cast<size_t>(rows) * cols;
    std::vector<float> in(count), out(count);
    Lcg lcg{2024u};
    for (float &x : in)
        x = 10.0f * lcg.uniform() - 5.0f;

    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < repeat; ++r)
        softmax_rows(in.data(), out.data(), rows, cols);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - begin;

    const double error = max_error(in, out, rows, cols);
    double total = 0.0, squares = 0.0;
    for (float p : out) {
        total += p;
        squares += static_cast<double>(p) * p;
    }

    const bool pass = error < 1e-5;
    printf("total %.4e\n", total);
    printf("squares %.4e\n", squares);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", time.count());
    return pass ? 0 : 1;
}
