// Vector types that have other names in the program.
// g2o-verify: waves<<<2, 16>>>(n = 30, z = [n], w = [n])
// g2o-verify: turned<<<2, 16>>>(n = 30, z = [n], w = [n])
#include <cuComplex.h>

typedef double2 Wave;
template <typename T>
struct Pair {
    using type = double2;
};

__device__ Wave product(Wave a, Wave b)
{
    Wave c;
    c.x = a.x * b.x - a.y * b.y;
    c.y = a.x * b.y + a.y * b.x;
    return c;
}

__global__ void waves(const Wave *z, Wave *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        w[i] = product(product(z[i], z[(i + 1) % n]), w[i]);
}

__global__ void turned(const cuDoubleComplex *z, Pair<double>::type *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    cuDoubleComplex own = z[i];
    w[i].x = own.y * own.x;
    w[i].y = -own.x * z[(i + 3) % n].y;
}
