// The compare-and-swap loop that adds doubles is known: it is an atomicAdd.
// g2o-verify: accumulate<<<2, 32>>>(n = 60, x = [n], total = [3])
__device__ double add(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void accumulate(const double *x, double *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        add(&total[i % 3], x[i] * x[i]);
}
