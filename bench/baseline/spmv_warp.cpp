// Sparse matrix times vector in CSR form.
//
// Where the CUDA program has two kernels, with 32 and with 8 threads per row, there is one
// loop here; it runs for both, so that times and results can be compared.
//
// usage: spmv_warp [rows] [mean nonzeros per row] [repeat]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Csr {
    int rows;
    std::vector<int> start; // rows + 1 offsets
    std::vector<int> column;
    std::vector<float> value;
};

static void spmv(const Csr &a, const float *x, float *y)
{
    const int *start = a.start.data();
    const int *column = a.column.data();
    const float *value = a.value.data();
#pragma omp parallel for schedule(static)
    for (int row = 0; row < a.rows; ++row) {
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int k = start[row]; k < start[row + 1]; ++k)
            sum += value[k] * x[column[k]];
        y[row] = sum;
    }
}

static unsigned int rng = 20240229u;

static unsigned int next()
{
    rng = rng * 1103515245u + 12345u;
    return rng >> 8;
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? std::atoi(argv[1]) : 350;
    const int mean = argc > 2 ? std::atoi(argv[2]) : 20;
    const int repeat = argc > 3 ? std::atoi(argv[3]) : 1;
    if (rows < 1 || mean < 1 || repeat < 1) {
        std::fprintf(stderr, "usage: %s [rows] [mean nonzeros per row] [repeat]\n", argv[0]);
        return 2;
    }

    // Rows of 0 to 2 * mean entries at random columns.
    Csr a;
    a.rows = rows;
    a.start.assign(rows + 1, 0);
    for (int r = 0; r < rows; ++r)
        a.start[r + 1] =
            a.start[r] + static_cast<int>(next() % (2u * static_cast<unsigned>(mean) + 1u));
    const int nonzeros = a.start[rows];
    a.column.resize(nonzeros);
    a.value.resize(nonzeros);
    for (int k = 0; k < nonzeros; ++k) {
        a.column[k] = static_cast<int>(next() % static_cast<unsigned>(rows));
        a.value[k] = static_cast<float>(next() & 0xffff) / 65536.0f;
    }
    std::vector<float> x(rows), y(rows);
    for (float &v : x)
        v = static_cast<float>(next() & 0xffff) / 32768.0f - 0.5f;

    std::vector<double> expected(rows, 0.0);
    for (int r = 0; r < rows; ++r)
        for (int k = a.start[r]; k < a.start[r + 1]; ++k)
            expected[r] += static_cast<double>(a.value[k]) * x[a.column[k]];

    double ms = 0.0, worst = 0.0, norm[2];
    for (int variant = 0; variant < 2; ++variant) {
        std::fill(y.begin(), y.end(), NAN);
        const auto begin = std::chrono::steady_clock::now();
        for (int r = 0; r < repeat; ++r)
            spmv(a, x.data(), y.data());
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        ms += time.count();

        norm[variant] = 0.0;
        for (int r = 0; r < rows; ++r) {
            const double error = std::fabs(y[r] - expected[r]);
            worst = std::fmax(worst, error / (1.0 + std::fabs(expected[r])));
            norm[variant] += std::fabs(static_cast<double>(y[r]));
        }
    }

    const bool pass = worst < 1e-4;
    std::printf("nonzeros %d\n", nonzeros);
    std::printf("norm_warp %.4e\n", norm[0]);
    std::printf("norm_subwarp %.4e\n", norm[1]);
    std::printf("%s\n", pass ? "PASS" : "FAIL");
    std::printf("time_ms %.3f\n", ms);
    return pass ? 0 : 1;
}
