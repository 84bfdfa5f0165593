// A thread writes several elements, reads them again, and steps over the array.
// g2o-verify: butterfly<<<2, 8>>>(n = 40, x = [n])
__global__ void butterfly(double *x, int n)
{
    int stride = 2 * gridDim.x * blockDim.x;
    for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i + 1 < n; i += stride) {
        double a = x[i], b = x[i + 1];
        x[i] = a + b * b;
        x[i + 1] = x[i] * (a - b);
    }
}
