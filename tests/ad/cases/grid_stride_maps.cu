// Loops whose iterations a grid shares out: each can be turned around for itself, where it does not
// need what another one of its thread has left.
// g2o-verify: masked<<<2, 8>>>(n = 45, x = [n], y = [n], mask = [n : i % 3])
// g2o-verify: named<<<2, 8>>>(n = 45, x = [n], y = [n], z = [n])
// g2o-verify: chained<<<2, 8>>>(n = 45, x = [n])
// g2o-verify: weighted<<<3, 4>>>(n = 29, x = [n], w = 1.5, y = [n])

__global__ void masked(double *x, const double *y, const int *mask, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (mask[i] == 0)
            continue;
        x[i] += y[i] * y[i];
    }
}

__global__ void named(const double *x, const double *y, double *z, unsigned n) {
    const unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned stride = blockDim.x * gridDim.x;
    for (unsigned i = tid; i < n; i += stride) {
        double v = x[i];
        for (int k = 0; k < 3; ++k)
            v = v * y[i] + x[i];
        z[i] = v;
    }
}

// The element 16 places before was stored by the same thread, one turn ago.
__global__ void chained(double *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (i >= 16)
            x[i] = 0.5 * x[i] * x[i - 16];
}

__global__ void weighted(const double *x, double w, double *y, int n) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = w * x[i] * y[i];
}
