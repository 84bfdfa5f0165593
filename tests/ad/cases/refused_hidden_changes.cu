// Numbers that change inside of an expression, and functions that nobody knows and that change them.
__device__ void scale(double &v);
__device__ int count(double *v);

__global__ void in_condition(const double *x, double *y, int n)
{
    double v = x[threadIdx.x], sum = 0.0;
    do {
        if (sum > 2.0)
            continue;
        sum += v;
    } while ((v = v * 0.5) > 0.1); // refused: inside an expression
    y[threadIdx.x] = sum;
}

__global__ void by_reference(const double *x, double *y, int n)
{
    double v = x[threadIdx.x];
    scale(v); // refused: may change values
    y[threadIdx.x] = v;
}

__global__ void by_pointer(const double *x, double *y, int n)
{
    double v = x[threadIdx.x];
    int k = count(&v); // refused: may change values
    y[threadIdx.x] = v + k;
}
