// Numbers in the bodies of macros stand for themselves in derivatives, not for the macro.
// g2o-verify: numbers<<<3, 16>>>(n = 44, x = [n : 0.2 .. 1.7], y = [n])
#include <climits>
#include <cmath>

#define HEIGHT 16
#define HALF (1.0f / 2.0f)
#define THIRD 1 / 3.0f
#define NEGATIVE -1.5f
#define AREA(r) (M_PI * (r) * (r))
#define TWICE(f) ((f) * 2.0f)
#define WRAP(i, n) ((i) < 0 ? (i) + (n) : (i) >= (n) ? (i) - (n) : (i))
#define CELL(x, y) ((y) * HEIGHT + (x))
#define ABOVE(v) ((v) > INT_MIN + 1 ? (v) : 1.0)
enum Mode { RED = 2, GREEN };
#define MODE (RED + 1)

__global__ void numbers(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int left = i - 1;
    int c = CELL(WRAP(left, n), 0);
    double a = x[i];
    y[i] = a * HALF + HALF * HALF * a * THIRD;
    y[i] += AREA(a) * NEGATIVE + TWICE(x[c]) * a;
    y[i] += a * a * MODE + ABOVE(a) * (MODE * GREEN) + NEGATIVE * a * a;
}
