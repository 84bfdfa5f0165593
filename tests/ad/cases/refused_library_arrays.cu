// Arrays of the library of which more is asked than elements have no derivatives.
#include <array>
#include <utility>

__global__ void filled(const double *x, double *y)
{
    std::array<double, 2> v;
    v.fill(x[threadIdx.x]); // refused: 'fill'
    y[threadIdx.x] = v[0];
}

__device__ double *start(std::array<double, 2> &v) { return v.data(); }

__global__ void by_pointer(const double *x, double *y)
{
    std::array<double, 2> v;
    v[0] = x[threadIdx.x];
    y[threadIdx.x] = *start(v); // refused: pointer of unknown origin
}

__global__ void listed(const double *x, double *y)
{
    double sum = 0.0;
    for (double w : {x[threadIdx.x], 2.0}) // refused: construct that g2o does not understand
        sum += w;
    y[threadIdx.x] = sum;
}

__global__ void paired(const double *x, double *y)
{
    std::pair<double, double> v{x[threadIdx.x], 2.0}; // refused: 'v' of type std::pair
    y[threadIdx.x] = v.first;
}
