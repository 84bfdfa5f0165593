// A sum with a zero in it is the same element.
#define FIRST 0
// g2o-verify: carried_from_first<<<1, 4>>>(x = [40], y = [40], n = 8)
__global__ void carried_from_first(const double *x, double *y, int n)
{
    int i = threadIdx.x * 10;
    double before = x[i + 0];
    for (int k = 1; k < n; ++k) {
        y[i + k] = before * before * x[i + k];
        before = x[i + k + FIRST];
    }
}
