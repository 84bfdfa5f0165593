// Braces in braces inside a loop from which a variable goes that nobody reads.

__global__ void halves(const double *x, double *y, const int *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double unread = x[i + 1];
    for (int j = 1; j <= 3; j += 2) {
        {
            {
                double q[3] = {v, 1.0, 0.5};
                v += q[k[i]];
            }
        }
        unread *= 0.5;
    }
    y[i] += v;
}
