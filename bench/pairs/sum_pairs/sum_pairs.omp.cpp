// A sum in one loop.
//
// usage: sum_pairs [elements] [repeats]

#include "sum_pairs.hpp"

static float total(const float *in, int n)
{
    float sum = 0.0f;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += in[i];
    return sum;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 100000);
    const int repeats = argument(argc, argv, 2, 2);
    const std::vector<float> values = values_to_add(n);

    float sum = 0.0f;
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r)
        sum = total(values.data(), n);
    const double ms = watch.milliseconds();
    return report(is_right(sum, values), sum, ms);
}
