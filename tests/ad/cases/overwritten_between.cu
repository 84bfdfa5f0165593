// A local changes between its uses: neighbours get other multiples of what they share.
// g2o-verify: overwritten_between<<<2, 32>>>(n = 60, w = [n], u = [n], v = [n])
#pragma g2o grad (v)/(u)
__global__ void overwritten_between(const double *w, const double *u, double *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        double c = w[i];
        c = c * c + 1.0;
        v[i] = c * u[i - 1];
        c *= 2.0;
        v[i] += c * u[i + 1];
    }
}
