// Classes of libraries hide their numbers: no shadow is no zero.
#include <thrust/complex.h>

__global__ void squares(const thrust::complex<double> *x, thrust::complex<double> *y) // refused: type thrust::complex<double>
{
    int i = threadIdx.x;
    y[i] = x[i] * x[i];
}

__global__ void sizes(const double *x, double *y)
{
    int i = threadIdx.x;
    const thrust::complex<double> *z = reinterpret_cast<const thrust::complex<double> *>(x); // refused: memory read as another type
    y[i] = thrust::abs(z[i]);
}
