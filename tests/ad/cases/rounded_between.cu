// What a neighbour gets goes through an integer: a value that is not the expression it came from.
// g2o-verify: rounded<<<2, 32>>>(n = 60, w = [n], u = [n], v = [n])
#pragma g2o grad (v)/(u)
__global__ void rounded(const double *w, const double *u, double *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        int k = w[i] * 5.0;
        v[i] = k * u[i - 1] + u[i + 1];
    }
}
