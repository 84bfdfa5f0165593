// Classes of libraries and unions hide their numbers: no shadow is no zero.
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

union Both {
    double number;
    long long bits;
};

struct Point {
    union {
        struct {
            double x, y;
        };
        double at[2];
    };
};

__global__ void bare(const Both *x, double *y) // refused: numbers of type Both
{
    y[threadIdx.x] = x[threadIdx.x].number;
}

__global__ void areas(const Point *p, Point *q) // refused: numbers of type Point
{
    int i = threadIdx.x;
    q[i].at[0] = p[i].x * p[i].y;
}
