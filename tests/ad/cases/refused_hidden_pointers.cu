// Pointers that arrays hold, ranges: what lies behind is not followed.
__global__ void by_array(const double *x, double *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *outs[2];
    outs[i % 2] = y; // refused: pointer inside of a structure or array
    outs[1 - i % 2] = z;
    outs[i % 2][i] = 2.0 * x[i];
}
