// A function whose body another file has: its derivative is not known.
__device__ double elsewhere(double x);

__global__ void unknown(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = elsewhere(x[i]); // refused: elsewhere
}

// Its name does not say what it is.
__device__ double clamp(double x, double lo, double hi);

__global__ void named_alike(const double *x, double *y)
{
    y[threadIdx.x] = clamp(x[threadIdx.x], 0.0, 1.0); // refused: clamp
}

__device__ double square(double v) { return v * v; }
__device__ double cube(double v) { return v * v * v; }

__global__ void chosen_function(const double *x, double *y)
{
    double (*f)(double) = threadIdx.x % 2 ? square : cube;
    y[threadIdx.x] = f(x[threadIdx.x]); // refused: call through 'f' of a function not known here
}
