// Fits height and rate of a decay to measurements, by descent along the gradient that g2o wrote.
#include <cmath>
#include <cstdio>
#include <vector>

#include "decay.omp.h"
#include "smooth.omp.h"

int main()
{
    const int n = 1000;
    const double rate = 0.5;
    const dim3 blocks((n + 127) / 128), threads(128);
    std::vector<double> times(n), raw(n), measured(n), misfit(n), d_misfit(n);
    measure(blocks, threads, n, rate, times.data(), raw.data());
    smooth(blocks, threads, n, raw.data(), measured.data());

    double parameters[2] = {1.0, 1.0};
    for (int step = 0; step < 1000; ++step) {
        // The gradient of half the mean of the squares: its seeds are the misfits.
        misfits(blocks, threads, n, times.data(), measured.data(), parameters, misfit.data());
        for (int i = 0; i < n; ++i)
            d_misfit[i] = misfit[i] / n;
        double d_parameters[2] = {0.0, 0.0};
        misfits_grad(blocks, threads, n, times.data(), measured.data(), parameters, misfit.data(),
                     d_parameters, d_misfit.data());
        for (int i = 0; i < 2; ++i)
            parameters[i] -= 0.5 * d_parameters[i];
    }
    std::printf("height %.2f, rate %.2f\n", parameters[0], parameters[1]);
    return std::abs(parameters[1] - rate) < 0.01 ? 0 : 1;
}
