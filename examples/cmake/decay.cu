// How far the model is off, for each measurement.
#include <cuda_runtime.h>

#include "model.cuh"

__global__ void misfits(int n, const double *times, const double *measured,
                        const double *parameters, double *misfit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        misfit[i] = decayed(parameters, times[i]) - measured[i];
}

// Measurements as they would be, with an error that alternates.
__global__ void measure(int n, double rate, double *times, double *measured)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double parameters[2] = {HEIGHT, rate};
    times[i] = 4.0 * i / n;
    measured[i] = decayed(parameters, times[i]) + (i % 2 ? 0.01 : -0.01);
}
