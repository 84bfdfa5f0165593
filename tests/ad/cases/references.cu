// References and pointers to locals and to elements.
// g2o-verify: references<<<2, 32>>>(n = 40, x = [n], y = [n])
__global__ void references(double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = 2.0;
    double &first = a;
    double *second = &b;
    first *= first;
    *second += first * a;
    double &element = y[i];
    element = a * b * element;
    const double *row = x + i;
    element += *row * row[0];
}
