// A lambda that has copied an array, of which an element changes before it is called.
__global__ void elements(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[2] = {x[i], 1};
    auto f = [v](double a) { return a * v[0]; };
    v[0] = v[0] * 2;
    y[i] = f(x[i]) + v[0]; // refused: has copied 'v'
}
