// Copies of memory whose elements, or whose number, are not known.
#include <cstring>

__global__ void of_bytes(const float *x, double *y)
{
    memcpy(y, x, 8); // refused: call of 'memcpy'
}

__global__ void half_a_number(const double *x, double *y)
{
    memcpy(y, x, 12); // refused: call of 'memcpy'
}

__global__ void filled(double *y)
{
    double v = y[0];
    memset(y, 1, sizeof(double)); // refused: call of 'memset'
    y[0] += v;
}
