// Three norms in one loop.
//
// usage: norms_shuffle [elements] [repeats]

#include "norms_shuffle.hpp"

constexpr int CHUNK = 16384; // that many are added up in floats

static Norms norms(const float *x, int n)
{
    double absolute = 0.0, squares = 0.0;
    float largest = 0.0f;
#pragma omp parallel for schedule(static) reduction(+ : absolute, squares) reduction(max : largest)
    for (int first = 0; first < n; first += CHUNK) {
        float sum = 0.0f, square = 0.0f;
        const int last = std::min(first + CHUNK, n);
#pragma omp simd reduction(+ : sum, square) reduction(max : largest)
        for (int i = first; i < last; ++i) {
            const float magnitude = std::fabs(x[i]);
            sum += magnitude;
            square += magnitude * magnitude;
            largest = magnitude > largest ? magnitude : largest;
        }
        absolute += sum;
        squares += square;
    }
    return {absolute, squares, largest};
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 100000);
    const int repeats = argument(argc, argv, 2, 2);
    const std::vector<float> x = random_vector(n);

    Norms result;
    const Stopwatch watch;
    for (int r = 0; r < repeats; ++r)
        result = norms(x.data(), n);
    const double ms = watch.milliseconds();
    return report(is_right(result, x), result.absolute + result.squares, ms);
}
