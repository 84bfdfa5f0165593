// Nobody may ask for the element: then it is not touched.
// g2o-verify: conditional_scalar<<<2, 32>>>(n = 60, which = 1000000, w = [n], u = [n], v = [n])
// g2o-verify: conditional_scalar<<<2, 32>>>(n = 60, which = 70, w = [n], u = [n], v = [n])
__global__ void conditional_scalar(const double *w, const double *u, double *v, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = u[i];
    if (which < n)
        s *= w[which];
    v[i] = s * s;
}
