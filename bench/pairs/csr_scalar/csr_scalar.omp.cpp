// The power method: product and norm in one loop, scaling in another.
//
// usage: csr_scalar [rows] [mean entries] [steps]

#include "csr_scalar.hpp"

static double multiply(const Csr &a, const double *x, double *y)
{
    const int *start = a.start.data(), *column = a.column.data();
    const double *value = a.value.data();
    double squares = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : squares)
    for (int row = 0; row < a.rows; ++row) {
        double dot = 0.0;
        for (int k = start[row]; k < start[row + 1]; ++k)
            dot += value[k] * x[column[k]];
        y[row] = dot;
        squares += dot * dot;
    }
    return squares;
}

static void scale(const double *y, double *x, int n, double factor)
{
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i)
        x[i] = y[i] * factor;
}

int main(int argc, char **argv)
{
    const Csr a = make_csr(argc, argv);
    std::vector<double> x(a.rows, 1.0), y(a.rows);
    const Stopwatch watch;
    for (int step = 0; step < a.steps; ++step) {
        const double squares = multiply(a, x.data(), y.data());
        scale(y.data(), x.data(), a.rows, 1.0 / std::sqrt(squares / a.rows));
    }
    const double ms = watch.milliseconds();
    return finish(a, x, ms);
}
