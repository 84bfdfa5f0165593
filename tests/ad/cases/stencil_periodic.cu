// Periodic neighbours, by a condition and by a remainder.
// g2o-verify: periodic<<<3, 16>>>(n = 40, u = [n], v = [n])
__global__ void periodic(const double *u, double *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int l = i == 0 ? n - 1 : i - 1, r = (i + 1) % n;
    v[i] = u[l] * u[r] + u[i] * u[i];
}
