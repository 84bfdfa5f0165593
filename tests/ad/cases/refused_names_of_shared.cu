// Two names of one shared memory: their derivatives would be two memories.
extern __shared__ double first[];
extern __shared__ float second[];

__global__ void two_names(const double *x, double *y) // refused: several names
{
    int t = threadIdx.x;
    first[t] = x[t];
    second[2 * blockDim.x + t] = (float)x[t];
    __syncthreads();
    y[t] = first[t] * second[2 * blockDim.x + t];
}
