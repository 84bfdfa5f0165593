// What is measured at a time: it decays from a height at a rate.
#pragma once

#define HEIGHT 2.0

__device__ inline double decayed(const double *parameters, double time)
{
    return parameters[0] * exp(-parameters[1] * time);
}
