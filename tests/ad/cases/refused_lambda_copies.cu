// A lambda that has copied a variable, which another lambda changes before it is called.
__global__ void copies(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    auto grow = [&](double v) {
        a += v;
        return a * v;
    };
    auto shifted = [=](double v) { return v * v + a; };
    double u = grow(a * 2);
    y[i] = u + shifted(x[i]); // refused: has copied 'a'
}
