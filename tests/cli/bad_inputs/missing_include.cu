#include <cuda_runtime.h>
#include "helper_that_is_not_there.h"

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}
