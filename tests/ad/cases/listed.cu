// Parameters as people write them.
// g2o-verify: listed<<<2, 16>>>(n = 30, in = [n], out = [n])
// g2o-verify: preset<<<2, 16>>>(n = 30, in = [n], out = [n], factor = 3)
extern "C" __global__ __launch_bounds__(64) void listed(const double in[], // what comes in (all of it)
                                                        double out[],
                                                        int n // how many
)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}
__global__ void preset(const double *in, double *out, int n, int factor = 3) // all (of it)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i] * factor;
}
