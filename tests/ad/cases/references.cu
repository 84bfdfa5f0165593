// References and pointers to locals and to elements.
// g2o-verify: whole_arrays<<<2, 16>>>(n = 30, x = [n + 1], y = [n])
// g2o-verify: references<<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: taken_elsewhere<<<2, 64>>>(y = [n], x = [n], n = 120)
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

// References to arrays, one declared beside its array; numbers that start in braces.
__global__ void whole_arrays(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double first{x[i]}, second = {2.0 * x[i + 1]};
    double pair[2] = {first, second}, (&same)[2] = pair;
    double (&again)[2] = pair;
    same[1] *= again[0];
    y[i] = pair[1] * double{second};
}

__device__ float taken(float &a)
{
    float old = a;
    a = 0;
    return old;
}

// The shadow of a reference is set to zero: it is no variable that begins so.
__global__ void taken_elsewhere(float *y, const float *x, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] * 2.0f : 0.0f;
    __syncthreads();
    if (i < n)
        y[i] = taken(s[63 - threadIdx.x]);
}
