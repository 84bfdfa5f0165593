// STREAM, a loop for each operation.
//
// usage: stream_functors [elements] [repeats]

#include "stream_functors.hpp"

int main(int argc, char **argv)
{
    const std::size_t n = argument(argc, argv, 1, 100000);
    const int repeats = argument(argc, argv, 2, 3);
    std::vector<double> a_values(n, FIRST_A), b_values(n, FIRST_B), c_values(n, FIRST_C);
    double *const a = a_values.data(), *const b = b_values.data(), *const c = c_values.data();

    double sum = 0.0;
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r) {
#pragma omp parallel for simd schedule(static)
        for (std::size_t i = 0; i < n; ++i)
            c[i] = a[i];
#pragma omp parallel for simd schedule(static)
        for (std::size_t i = 0; i < n; ++i)
            b[i] = SCALAR * c[i];
#pragma omp parallel for simd schedule(static)
        for (std::size_t i = 0; i < n; ++i)
            c[i] = a[i] + b[i];
#pragma omp parallel for simd schedule(static)
        for (std::size_t i = 0; i < n; ++i)
            a[i] = b[i] + SCALAR * c[i];
        sum = 0.0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
        for (std::size_t i = 0; i < n; ++i)
            sum += a[i] * b[i];
    }
    const double ms = watch.milliseconds();
    return report(is_right(a_values, b_values, c_values, sum, repeats), sum, ms);
}
